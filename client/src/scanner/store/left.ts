const left = new Set<string>()

/**
 * Scans that were sent though the device had no room to note the attempt in their rows: a full device must still be able to
 * send, and an undo must still know that the server may have heard.
 */
export function noteLeft(scans: readonly { scanId: string }[]): void {
  for (const { scanId } of scans) left.add(scanId)
}
export const hasLeft = (scanId: string): boolean => left.has(scanId)
