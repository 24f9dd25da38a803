import type { ReactNode } from 'react'
import { Qr } from '../../kit/Qr.tsx'
import { SELF_TEST_TEXT } from '../../platform/keys/readKeys.ts'
import { usePageTitle } from '../../platform/page.ts'
import { READINESS } from '../texts/phone.ts'
import styles from './TestCodeScreen.module.css'

export default function TestCodeScreen({ top }: { top: ReactNode }) {
  usePageTitle(READINESS.testCode.title)
  return (
    <main className={styles.page}>
      {top}
      <h1>{READINESS.testCode.title}</h1>
      <p>{READINESS.testCode.detail}</p>
      <Qr text={SELF_TEST_TEXT} label={READINESS.testCode.title} className={styles.code} />
    </main>
  )
}
