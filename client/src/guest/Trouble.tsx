import { Banner } from '../kit/Banner.tsx'
import { useWords } from './words.ts'

/** Why an attempt failed; `unsure`: no answer came, so the request may have arrived. */
export interface Trouble {
  type: 'unsure' | 'refused'
  text: string
}

interface TroubleBannerProps {
  trouble: Trouble | null
  /** The heading of a refusal. */
  refused: string
}

/** Shows above a dialog's second step how the last attempt ended. */
export const TroubleBanner = ({ trouble, refused }: TroubleBannerProps) => {
  const { failures } = useWords()
  if (trouble === null) return null
  const isUnsure = trouble.type === 'unsure'
  return (
    <Banner tone={isUnsure ? 'warn' : 'bad'} live="alert" title={isUnsure ? failures.network : refused}>
      <p>{trouble.text}</p>
    </Banner>
  )
}
