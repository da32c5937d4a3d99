#include <halfdof/base/version.h>

#include <deal.II/base/mpi.h>
#include <deal.II/lac/vector.h>

#include <iostream>

int main(int argc, char** argv) {
  const dealii::Utilities::MPI::MPI_InitFinalize mpi(argc, argv, 1);
  const dealii::Vector<double> displacement(3);
  std::cout << "linked halfdof " << halfdof::version() << " with a deal.II vector of size "
            << displacement.size() << "\n";
}
