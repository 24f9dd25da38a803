import type { ReactNode } from 'react'
import { GarboRings } from '../../../kit/GarboRings.tsx'
import styles from './Center.module.css'

export const Center = ({ children }: { children: ReactNode }) => <main className={styles.center}>{children}</main>

export const Notice = ({ title, text, children }: { title: string; text: string; children: ReactNode }) => (
  <Center>
    <GarboRings className={styles.rings} faint />
    <h1 className={styles.title}>{title}</h1>
    <p className={styles.text}>{text}</p>
    {children}
  </Center>
)
