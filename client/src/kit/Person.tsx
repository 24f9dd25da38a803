import { Fragment, useState } from 'react'
import styles from './Person.module.css'

interface AvatarProps {
  name: string
  photo?: string | null | undefined
  size?: number
}

const firstLetter = (name: string): string =>
  [...new Intl.Segmenter().segment(name.trim())][0]?.segment.toLocaleUpperCase() ?? '?'

export const Avatar = ({ name, photo, size = 40 }: AvatarProps) => {
  const [failed, setFailed] = useState<string | null>(null)
  const shown = photo && photo !== failed ? photo : null
  return (
    <span className={styles.avatar} style={{ width: size, height: size, fontSize: size * 0.45 }} aria-hidden="true">
      {shown === null ? (
        <span>{firstLetter(name)}</span>
      ) : (
        // Google answers 403 for photos requested with a referrer.
        <img
          src={shown}
          alt=""
          width={size}
          height={size}
          referrerPolicy="no-referrer"
          onError={() => setFailed(shown)}
        />
      )}
    </span>
  )
}

const PARTS = /[^@._+-]+[@._+-]*|[@._+-]+/g

export const Email = ({ address }: { address: string }) =>
  (address.match(PARTS) ?? []).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one address never change places
    <Fragment key={index}>
      {index === 0 ? null : <wbr />}
      {part}
    </Fragment>
  ))
