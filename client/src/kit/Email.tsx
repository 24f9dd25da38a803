import { Fragment } from 'react'

/** Each part with the sign that ends it. */
const PARTS = /[^@._+-]+[@._+-]*|[@._+-]+/g

/** An email address that wraps at its signs, never inside a word. */
export const Email = ({ address }: { address: string }) =>
  (address.match(PARTS) ?? []).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address never change places
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
