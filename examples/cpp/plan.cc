// Prints the answer to the request in a file: `plan request.json`. The exit code says what kind of answer it is.
#include <fstream>
#include <iostream>
#include <sstream>

#include "podwright/podwright.h"

int main(int count, char** words) {
  std::ostringstream request;
  if (count != 2 || !(request << std::ifstream(words[1]).rdbuf())) {
    std::cerr << "usage: plan REQUEST\n";
    return 2;
  }
  const podwright::Answer answer = podwright::answer(request.str());
  std::cout << answer.text << '\n';
  if (answer.outcome == podwright::Outcome::wrong_input) std::cerr << "plan: there are errors in the request.\n";
  return static_cast<int>(answer.outcome);
}
