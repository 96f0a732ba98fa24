export function median(numbers: number[]): number {
	const sorted = [...numbers].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** The median of the ratios per round: the two results of one round ran under the same conditions. */
export function medianRatio(numerators: number[], denominators: number[]): number {
	return median(numerators.map((numerator, round) => numerator / denominators[round]!));
}
