/** The parts of a text that has commands between backticks. */
export const codeParts = (text: string) =>
  text.split("`").map((part, place) => ({ part, place, isCode: place % 2 === 1 }));
