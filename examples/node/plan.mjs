// Prints the answer to a request file as `podwright plan FILE --json` does, with the same exit status.
import { readFileSync } from "node:fs";
import { load } from "podwright";

const podwright = await load();
const text = podwright.answerText(readFileSync(process.argv[2], "utf8"));
console.log(text);

const answer = JSON.parse(text);
process.exitCode = answer.errors ? 2 : answer.feasible ? 0 : 1;
