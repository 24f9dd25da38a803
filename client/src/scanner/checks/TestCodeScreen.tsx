import type { ReactNode } from 'react'
import { Qr } from '../../kit/Qr.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { SELF_TEST_TEXT } from '../core/scan.ts'
import { READINESS } from '../texts/phone.ts'
import styles from './TestCodeScreen.module.css'

/** The app's test code, for another device's readiness check or for printing. */
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
