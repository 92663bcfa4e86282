/** Milliseconds. */
export const [second, minute, hour] = [1_000, 60_000, 3_600_000]
