/** Before all tests: an empty folder gets the package, without a network. */
import { emptyFolder, install } from "./project.ts";

export default function prepare(): void {
  install(emptyFolder("project"));
}
