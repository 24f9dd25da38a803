import { REFUND_KINDS, type RefundKind } from '@garba/shared/contracts/names'
import type { Language } from '@garba/shared/messages/language'

const NAMES: Readonly<Record<RefundKind, Readonly<Record<Language, string>>>> = {
  guest: { en: 'Cancelled ticket', gu: 'રદ કરેલી ટિકિટ', hi: 'रद्द किया गया टिकट' },
  late: { en: 'Payment that came too late', gu: 'મોડી મળેલી ચુકવણી', hi: 'देर से मिला भुगतान' },
  duplicate: { en: 'Paid too much', gu: 'વધારે થયેલી ચુકવણી', hi: 'ज़्यादा हुआ भुगतान' },
  event: { en: 'Given back by the organiser', gu: 'આયોજકે પાછું આપ્યું', hi: 'आयोजक ने लौटाया' },
}

/** In one file, so that a new kind is named in three languages at once. */
export const nameRefundKinds = (language: Language): Readonly<Record<RefundKind, string>> =>
  Object.fromEntries(REFUND_KINDS.map((kind) => [kind, NAMES[kind][language]])) as Record<RefundKind, string>
