/**
 * Where each bank writes the RRN of a UPI credit (the 12 digits that guests know as UTR) and the guest's remark. No other
 * number of a narration counts: banks also print numbers of their own and payers' phone numbers.
 */

interface BankForm {
  readonly bank: string
  /** Where the form is known from: the invented statements in its shape, which is that of public importers' own fixtures. */
  readonly source: string
  /** `rrn` is the RRN. `remark` holds the remark, at times with the parts beside it; absent if the bank drops it. */
  readonly narration: RegExp
}

/** The first form that fits is taken, so the narrow ones come first. */
export const BANK_FORMS: readonly BankForm[] = [
  {
    bank: 'SBI',
    source:
      'to 2025 sbi-old.xls and sbi-overlap-old.tsv, since January 2026 sbi-2026.xlsx, sbi-stamp.csv and sbi-xlsx-wrapped.csv',
    narration: /(?:BY TRANSFER-|DEP TFR ?)UPI\/CR\/(?<rrn>\d{12})\/[^/]*\/[^/]*\/[^/]*\/(?<remark>.*)$/i,
  },
  {
    bank: 'Canara',
    source: 'canara.csv and canara-grouped.csv',
    narration: /^UPI\/CR\/(?<rrn>\d{12})\/[^/]*\/[^/]*\/(?<remark>.*)$/i,
  },
  {
    bank: 'HDFC',
    source: 'hdfc-delimited.txt and hdfc-xls-saved.csv; hdfc.csv is older, without the IFSC before the RRN',
    narration:
      /^UPI-.*?(?:@[^-@]+-|-[A-Z]{4}0[A-Z0-9]{6}-)(?:[A-Z]{4}0[A-Z0-9]{6}-)?(?<rrn>\d{12})(?:-(?<remark>.*))?$/i,
  },
  {
    bank: 'Union',
    source:
      'tests of public statement parsers: UPIAB/RRN/CR/name/bank/VPA, in some with the bank’s own id after the RRN',
    narration: /^UPIAB\/(?<rrn>\d{12})(?: [^/]*)?\/CR(?:\/|$)/i,
  },
  {
    bank: 'Axis',
    source:
      'axis-savings.csv, axis-current.csv and axis-current-overdrawn.csv; P2M for payments to a merchant’s UPI ID',
    narration: /^UPI\/P2[AM]\/(?<rrn>\d{12})\/[^/]*\/(?<remark>.*)$/i,
  },
  {
    bank: 'IDFC',
    source: 'idfc-narrative.csv',
    narration: /^UPI\/MOB\/(?<rrn>\d{12})\/(?<remark>.*)$/i,
  },
  {
    bank: 'Federal',
    source:
      'a public collection bot’s answers of the bank, 2025: UPI IN/RRN/VPA/remark/5085; public parsers’ tests end sooner',
    narration: /^UPI ?IN\/(?<rrn>\d{12})(?:\/[^/]*(?:\/(?<remark>.*))?)?$/i,
  },
  {
    bank: 'IDBI',
    source: 'rules of public collection bots, 2025; no statement has been seen',
    narration: /^UPI\/(?<rrn>\d{12})\/[^/]+$/i,
  },
  {
    bank: 'ICICI, to 2024',
    source: 'icici-cib.csv and icici.csv',
    narration: /^UPI\/(?<rrn>\d{12})\/(?<remark>[^/]*)\/.*$/i,
  },
  {
    bank: 'Kotak',
    source: 'kotak-drcr.csv, kotak-two-numbers.csv and kotak-overlap-1.csv',
    narration: /^UPI\/[^/]*\/(?<rrn>\d{12})(?:\/(?<remark>.*))?$/i,
  },
  {
    bank: 'ICICI',
    source:
      'icici-new.csv, icici-whatsapp-1.csv and icici-whatsapp-2.csv: UPI/name/VPA/remark/bank/RRN/id, the name missing in some',
    narration: /^UPI\/(?:[^/]*\/)?[^/]*\/(?<remark>[^/]*)\/[^/]*\/(?<rrn>\d{12})(?:\/(?:[A-Z]{3}.*)?)?$/i,
  },
  {
    bank: 'ICICI, cut',
    source: 'public importers of aggregators’ lists, which pass on 50 characters and so end before the RRN',
    narration: /^UPI\/[^/]*\/[^/]*@[^/]*\/(?<remark>[^/]+)(?:\/[^/]*(?:\/\d{0,11})?)?$/i,
  },
  {
    bank: 'others',
    source:
      'unescaped-quotes.csv; public importers’ tests: Bank of Baroda, IndusInd, PNB and Yes have the RRN right after the mode',
    narration: /(?:^|[\s:-])UPI(?:[/-](?:CR|P2A|P2M|P2P|IN|MOB))?[/-](?<rrn>\d{12})(?:[/-](?<remark>.*))?$/i,
  },
]

/** What each bank leaves of a payer's remark, which has the order's code. */
export const REMARK_LEFT = {
  sbi: 'cut',
  hdfc: 'whole',
  icici: 'whole',
  kotak: 'whole',
  axis: 'whole',
  canara: 'whole',
  union: 'none',
  idfc: 'whole',
  federal: 'whole',
  idbi: 'none',
  other: 'whole',
} as const
export type UpiBank = keyof typeof REMARK_LEFT
export const UPI_BANKS = Object.keys(REMARK_LEFT) as UpiBank[]

export interface UpiNarration {
  bank: string
  rrn: string | null
  remark: string | null
}

/** Reads a bank's words of one credit; null if no known form of a UPI credit fits. */
export function readNarration(text: string): UpiNarration | null {
  for (const { bank, narration } of BANK_FORMS) {
    const found = narration.exec(text.trim())?.groups
    if (!found) continue
    const { rrn = null, remark = null } = found
    return { bank, rrn: rrn !== null && /^0+$/.test(rrn) ? null : rrn, remark }
  }
  return null
}

/** Separates the columns of words in a stored description, each of which may be a narration. */
export const WORDS_BETWEEN = ' | '

/** A shorter beginning would fit too many orders. */
export const CODE_LETTERS_MIN = 4

const CODE_LENGTH = 8

/**
 * Words of a description's remark that may be the beginning of an order's code, in capitals; a whole code does not
 * count.
 */
export function findCutCodes(description: string): string[] {
  const remarks = description.split(WORDS_BETWEEN).flatMap((words) => readNarration(words)?.remark ?? [])
  return remarks.flatMap((remark) =>
    remark.split('/').flatMap((part) => {
      const [word = ''] = /^[0-9A-Z]+/.exec(part.trim().toUpperCase()) ?? []
      return word.length >= CODE_LETTERS_MIN && word.length < CODE_LENGTH ? [word] : []
    }),
  )
}

export const isWithoutRemark = (description: string): boolean =>
  description.split(WORDS_BETWEEN).some((words) => readNarration(words)?.remark === null)
