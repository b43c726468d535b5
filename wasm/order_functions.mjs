// A function compresses best behind those that it resembles: gzip looks back 32 kB, and the linker's order is that of the
// sources. Here each is followed by the one most like it.

const kBins = 48;
const kRun = 4; // of words whose hash stands for them
const kNone = 0xffff_ffff;

/** The least hash of each bin over all runs of words, labels aside: two functions share as many as they share runs. */
function sketch(text) {
  const words = text.replace(/\$label\$\d+/g, "$").match(/[^\s()]+/g);
  const hashes = words.map((word) => {
    let hash = 2_166_136_261;
    for (let i = 0; i < word.length; i += 1) hash = Math.imul(hash ^ word.charCodeAt(i), 16_777_619);
    return hash >>> 0;
  });
  const least = new Uint32Array(kBins).fill(kNone);
  for (let i = 0; i + kRun <= hashes.length; i += 1) {
    let run = 0;
    for (let j = i; j < i + kRun; j += 1) run = (Math.imul(run ^ hashes[j], 0x9e37_79b1) + j - i) | 0;
    run ^= run >>> 15;
    const bin = (run >>> 0) % kBins;
    least[bin] = Math.min(least[bin], Math.imul(run, 0x85eb_ca6b) >>> 0);
  }
  return least;
}

function likeness(one, other) {
  let shared = 0;
  for (let bin = 0; bin < kBins; bin += 1) if (one[bin] === other[bin] && one[bin] !== kNone) shared += 1;
  return shared;
}

/** The texts of functions in an order in which neighbours are alike; of equally alike ones the nearest comes first. */
export function alikeTogether(texts) {
  const sketches = texts.map(sketch);
  const left = new Set(texts.keys());
  const order = [];
  for (let at = 0; left.size > 0; ) {
    order.push(at);
    left.delete(at);
    let best = { next: at, score: -Infinity };
    for (const next of left) {
      const score = likeness(sketches[at], sketches[next]) - Math.abs(next - at) / texts.length;
      if (score > best.score) best = { next, score };
    }
    at = best.next;
  }
  return order.map((at) => texts[at]);
}
