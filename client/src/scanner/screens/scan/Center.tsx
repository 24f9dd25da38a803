import type { ReactNode } from 'react'
import { GarboRings } from '../../../kit/GarboRings.tsx'
import styles from './Center.module.css'

/** A whole screen with a few words in the centre. */
export const Center = ({ children }: { children: ReactNode }) => <main className={styles.center}>{children}</main>

/** A whole screen with one message in front of the lamp. */
export const Notice = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Center>
    <GarboRings className={styles.rings} faint />
    <h1 className={styles.title}>{title}</h1>
    <p className={styles.text}>{text}</p>
    {children}
  </Center>
)
