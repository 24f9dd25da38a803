const counts = new Intl.NumberFormat('en-IN')

/** A count in Indian grouping, as amounts are (SPEC 9): `1,23,456`. */
export const formatCount = (n: number): string => counts.format(n)
