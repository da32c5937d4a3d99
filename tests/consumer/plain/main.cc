#include <halfdof/base/version.h>

#include <iostream>

int main() {
  std::cout << "linked halfdof " << halfdof::version() << "\n";
}
