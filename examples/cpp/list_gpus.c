/* Prints the GPUs of the catalog as JSON. */
#include <stdio.h>

#include "podwright/podwright.h"

int main(void) {
  int outcome = PODWRIGHT_FAILED;
  char* answer = podwright_answer("{\"kind\": \"catalog\", \"list\": \"gpus\"}", &outcome);
  if (answer != NULL) puts(answer);
  podwright_free(answer);
  return outcome;
}
