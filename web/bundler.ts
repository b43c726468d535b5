/** The bundler, for the scripts of wasm/npm, which cannot name the packages of this folder themselves. */
export { build, minify } from "vite";
