import { Banner } from '../kit/Banner.tsx'
import { useWords } from './words.ts'

/** Why a try did not go through; `unsure`: no answer came, so it may have arrived. */
export interface Trouble {
  type: 'unsure' | 'refused'
  text: string
}

interface TroubleBannerProps {
  trouble: Trouble | null
  /** What a refusal is headed with. */
  refused: string
}

/** Says over the second step of a dialog what became of the last try. */
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
