/** How well the learner knows what they know: stated confidence against what was right. */
/** What can be chosen before the answer is shown. */
export const kConfidences: readonly number[] = [0.5, 0.6, 0.7, 0.8, 0.9, 0.99];

export interface Stated {
  confidence: number;
  right: boolean;
}

export interface ReliabilityBin {
  confidence: number;
  answers: number;
  right: number;
  /** 90 % interval of the share that is right (Wilson). */
  low: number;
  high: number;
}

export interface Calibration {
  answers: number;
  /** Mean squared difference of confidence and result: 0 is perfect, always saying 50 % gives 0.25. */
  brier: number;
  /** Mean surprise in nats: 0 is perfect, always saying 50 % gives 0.693. */
  logLoss: number;
  /** Mean confidence minus share right: above 0 is overconfident. */
  bias: number;
  bins: ReliabilityBin[];
}

/** The 95 % point of the standard normal distribution: two-sided 90 %. */
const kZ = 1.6448536269514722;

/** Wilson's 90 % interval of a share. */
export function shareInterval(right: number, answers: number): { low: number; high: number } {
  if (answers === 0) return { low: 0, high: 1 };
  const share = right / answers;
  const spread = kZ ** 2 / answers;
  const middle = (share + spread / 2) / (1 + spread);
  const half = (kZ * Math.sqrt((share * (1 - share)) / answers + spread / (4 * answers))) / (1 + spread);
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}

/** Undefined without an answer. */
export function calibration(stated: readonly Stated[]): Calibration | undefined {
  if (stated.length === 0) return undefined;
  const mean = (of: (one: Stated) => number) => stated.reduce((sum, one) => sum + of(one), 0) / stated.length;
  const bins = kConfidences.flatMap((confidence) => {
    const own = stated.filter((one) => one.confidence === confidence);
    const right = own.filter((one) => one.right).length;
    return own.length === 0 ? [] : [{ confidence, answers: own.length, right, ...shareInterval(right, own.length) }];
  });
  return {
    answers: stated.length,
    brier: mean(({ confidence, right }) => (confidence - Number(right)) ** 2),
    logLoss: mean(({ confidence, right }) => -Math.log(right ? confidence : 1 - confidence)),
    bias: mean(({ confidence, right }) => confidence - Number(right)),
    bins,
  };
}
