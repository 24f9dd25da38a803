import { useEffect, useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { countUnsentScans } from '../../platform/store/scannerData.ts'
import { useWords } from '../words.ts'

/** For a phone that scanned at a gate and is signed out: its unsent scans are safe, and who sends them. */
export default function UnsentScans() {
  const { screens } = useWords()
  const [count, setCount] = useState(0)
  useEffect(() => {
    countUnsentScans().then(setCount, (error: unknown) => console.warn('Unsent scans could not be counted', error))
  }, [])
  if (count === 0) return null
  return (
    <Banner tone="warn" live="status" title={screens.unsentScans.title(count)}>
      <p>{screens.unsentScans.text}</p>
    </Banner>
  )
}
