import type { GateAlarm } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'

const words = FIGURES.gate

/** An alarm in a line: who or which device, how much of what. */
export function alarmText({ kind, count, checkerName, deviceId, deviceName }: GateAlarm): string {
  const who = checkerName ?? deviceName ?? deviceId ?? words.unnamedDevice
  return words.alarms[kind](who, count)
}
