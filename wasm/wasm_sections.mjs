// The parts of a WebAssembly module: sections, and the segments of its data.

export const kHeader = 8; // bytes before the first section

/** The LEB128 number at `at` of `bytes`, as [value, place behind it]. */
export function number(bytes, at) {
  let value = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at];
    at += 1;
    value |= (byte & 127) << shift;
    if (byte < 128) return [value >>> 0, at];
  }
}

/** As {id, body}. */
export function sections(module) {
  const found = [];
  for (let at = kHeader; at < module.length; ) {
    const [length, begin] = number(module, at + 1);
    found.push({ id: module[at], body: module.subarray(begin, begin + length) });
    at = begin + length;
  }
  return found;
}

/** Segments of known address: flag 0, i32.const, address, end. */
export function segmentsOf(body) {
  let [count, at] = number(body, 0);
  const segments = [];
  for (; count > 0; count -= 1) {
    const [start, end] = number(body, at + 2);
    const [length, begin] = number(body, end + 1);
    segments.push({ start, bytes: body.subarray(begin, begin + length) });
    at = begin + length;
  }
  return segments;
}

