// SPDX-License-Identifier: LGPL-2.1-or-later
#pragma once

/**
 * @file
 * The interface of halfdof on one machine, all of it. Applications of deal.II and MPI include
 * `<halfdof/dealii/...>` and `<halfdof/linear_algebra/trilinos/engine.h>` beside it; plots are in
 * `<halfdof/plots/...>` and the library halfdof::plots. Every header can be included alone, too.
 */

// Numbers, errors, matrices.
#include <halfdof/base/errors.h>
#include <halfdof/base/profile.h>
#include <halfdof/base/types.h>
#include <halfdof/functions/parameters.h>
#include <halfdof/functions/scalar_function.h>
#include <halfdof/linear_algebra/eigen/engine.h>

// The assembled system: description, files, builders.
#include <halfdof/assembled/assembled_system.h>
#include <halfdof/assembled/builders/model_builders.h>
#include <halfdof/assembled/builders/prony_fit.h>
#include <halfdof/assembled/builders/structural_damping.h>
#include <halfdof/assembled/constraint_rows.h>
#include <halfdof/assembled/files/matrix_market.h>
#include <halfdof/assembled/files/model_files.h>

// Kinds of degrees of freedom, diagnosis, exact elimination.
#include <halfdof/classification/classification.h>
#include <halfdof/diagnosis/diagnosis.h>
#include <halfdof/diagnosis/structural_reduction.h>
#include <halfdof/reduction/consistent_state.h>
#include <halfdof/reduction/reduced_system.h>
#include <halfdof/reduction/state_space.h>
#include <halfdof/reduction/weierstrass/weierstrass_form.h>
#include <halfdof/reduction/weierstrass/weierstrass_load.h>

// Spectra before and after, modes, responses.
#include <halfdof/spectrum/compare_spectra.h>
#include <halfdof/spectrum/dense_spectrum.h>
#include <halfdof/spectrum/forced_vibration.h>
#include <halfdof/spectrum/frequency_response.h>
#include <halfdof/spectrum/nearest_eigenvalues.h>
#include <halfdof/spectrum/structurally_damped_modes.h>

// Systems that depend on parameters.
#include <halfdof/parameters/eigenvalue_branches.h>
#include <halfdof/parameters/parametric_system.h>

// Laws of friction and contact, and their form after the elimination.
#include <halfdof/inclusions/inclusions.h>
#include <halfdof/inclusions/law.h>
#include <halfdof/inclusions/laws.h>
#include <halfdof/inclusions/one_step_problem.h>
#include <halfdof/inclusions/outcome.h>

// Motion.
#include <halfdof/integrators/event_driven/event_driven.h>
#include <halfdof/integrators/nonsmooth/controlled_step.h>
#include <halfdof/integrators/nonsmooth/explicit_methods.h>
#include <halfdof/integrators/nonsmooth/implicit_methods.h>
#include <halfdof/integrators/nonsmooth/nonsmooth_integrator.h>
#include <halfdof/integrators/nonsmooth/trajectory.h>
#include <halfdof/integrators/smooth/explicit_methods.h>
#include <halfdof/integrators/smooth/implicit_methods.h>
#include <halfdof/integrators/smooth/integrator.h>
#include <halfdof/integrators/verification/verification.h>

// The equation with memory of a structure at its contact points.
#include <halfdof/memory/contact_modes.h>
#include <halfdof/memory/memory_equation.h>
#include <halfdof/memory/memory_integrator.h>
#include <halfdof/memory/modal_memory.h>
#include <halfdof/memory/sampled_memory.h>
#include <halfdof/memory/structure_modes.h>

// Files of results.
#include <halfdof/output/result_files.h>
