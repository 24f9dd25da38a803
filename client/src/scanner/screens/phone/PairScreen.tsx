import { HOMES } from '@garba/shared/contracts/site/pages'
import { readPairingCode, shownPairingCode } from '@garba/shared/rules/phones/pairingCode'
import { ArrowLeft, QrCode, Square } from 'lucide-react'
import { type FormEvent, useCallback, useEffect, useRef, useState } from 'react'
import { Banner } from '../../../kit/Banner.tsx'
import { Button } from '../../../kit/Button.tsx'
import { cx } from '../../../kit/cx.ts'
import { TextField } from '../../../kit/Field.tsx'
import { usePageTitle } from '../../../platform/page.ts'
import { isInstalled, isIos } from '../../../platform/pwa/install.ts'
import { useCamera } from '../../camera/useCamera.ts'
import { codeInQr, endNow, useLinkCode, usePairingRow } from '../../core/pairing.ts'
import { goTo } from '../../core/useView.ts'
import type { DecodedCode } from '../../decode/reading.ts'
import { pairPhone } from '../../sync/pairing.ts'
import { PAIRING, READINESS } from '../../texts/phone.ts'
import { CAMERA_STATES, UNSENT } from '../../texts/scanner.ts'
import UnsentHere from '../lists/UnsentHere.tsx'
import { LanguageChoice } from './LanguageChoice.tsx'
import styles from './PairScreen.module.css'

export default function PairScreen() {
  usePageTitle(PAIRING.title)
  const paired = usePairingRow()
  const [anyway, setAnyway] = useState(false)
  const inSafari = isIos() && !isInstalled() && !anyway
  return (
    <main className={styles.page}>
      <Button tone="ghost" className={styles.back} icon={<ArrowLeft />} onClick={() => goTo('scan')}>
        {READINESS.back}
      </Button>
      <LanguageChoice />
      <h1>{PAIRING.title}</h1>
      <p className={styles.detail}>{PAIRING.detail}</p>
      {paired !== null && endNow() === null ? (
        <Banner tone="warn">
          <p>{PAIRING.again(paired.device.name)}</p>
        </Banner>
      ) : null}
      <UnsentHere text={UNSENT.kept} />
      {inSafari ? <InTheApp onAnyway={() => setAnyway(true)} /> : <Ways />}
    </main>
  )
}

/** A code must not be used in Safari, because the installed app would not find the key there. */
const InTheApp = ({ onAnyway }: { onAnyway: () => void }) => {
  const code = useLinkCode((store) => store.code)
  return (
    <>
      <Banner title={PAIRING.ios.title}>
        <p>{PAIRING.ios.text}</p>
        {code === null ? null : (
          <p>
            {PAIRING.ios.code}: <strong className={cx(styles.code, 'tabular')}>{shownPairingCode(code)}</strong>
          </p>
        )}
      </Banner>
      <Button onClick={onAnyway}>{PAIRING.ios.anyway}</Button>
    </>
  )
}

const Ways = () => {
  const { typed, type, busy, seen, failure, submit, camera } = usePairing()
  const field = useRef<HTMLInputElement>(null)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (!submit()) field.current?.focus()
  }
  return (
    <>
      <CameraBox camera={camera} busy={busy} seen={seen} />
      <p className={styles.or}>{PAIRING.or}</p>
      <form className={styles.form} onSubmit={send}>
        <TextField
          ref={field}
          label={PAIRING.label}
          hint={PAIRING.hint}
          error={failure ?? undefined}
          value={typed}
          onChange={(event) => type(event.target.value)}
          autoComplete="off"
          autoCapitalize="characters"
          autoCorrect="off"
          spellCheck={false}
          enterKeyHint="go"
        />
        <Button type="submit" tone={typed === '' ? 'secondary' : 'primary'} size="lg" busy={busy}>
          {busy ? PAIRING.pairing : PAIRING.pair}
        </Button>
      </form>
    </>
  )
}

function usePairing() {
  const paired = usePairingRow()
  const link = useLinkCode((store) => store.code)
  // A link alone does not replace a working pairing: the person is asked first.
  const asks = paired !== null && endNow() === null
  const [typed, setTyped] = useState(link === null ? '' : shownPairingCode(link))
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string | null>(null)
  const [seen, setSeen] = useState<string | null>(null)
  const trying = useRef(false)
  const tried = useRef(link)

  const pair = useCallback(async (code: string) => {
    if (trying.current) return
    trying.current = true
    tried.current = code
    setBusy(true)
    setFailure(null)
    setSeen(null)
    setTyped(shownPairingCode(code))
    const result = await pairPhone(code)
    // The page is loaded again, to sign its calls with the phone's own key.
    if (result.ok) return location.replace(HOMES.qrchecker)
    trying.current = false
    setBusy(false)
    setFailure(result.message)
  }, [])

  const see = useCallback(
    (decoded: DecodedCode | null) => {
      if (decoded === null || trying.current) return
      const found = codeInQr(decoded.text)
      if (found.type === 'code') void pair(found.code)
      else setSeen(found.type === 'ticket' ? PAIRING.ticket : PAIRING.otherCode)
    },
    [pair],
  )
  const camera = useCamera(see)
  const { control } = camera

  useEffect(() => {
    if (busy) control.stop()
  }, [busy, control])

  useEffect(() => {
    if (link === null) return
    setTyped(shownPairingCode(link))
    // The link's code is cleared, so that going back to this page does not use it again.
    useLinkCode.setState({ code: null })
    if (!asks) void pair(link)
  }, [link, asks, pair])

  return {
    typed,
    busy,
    seen,
    failure,
    camera,
    type(text: string) {
      setTyped(text)
      setFailure(null)
    },
    submit(): boolean {
      const read = readPairingCode(typed)
      // After a failure the link's full code is tried again, unless another code was typed.
      const code = read !== null && tried.current?.startsWith(read) ? tried.current : read
      if (code === null) setFailure(PAIRING.notComplete)
      else void pair(code)
      return code !== null
    },
  }
}

interface CameraBoxProps {
  camera: ReturnType<typeof useCamera>
  busy: boolean
  seen: string | null
}

const CameraBox = ({ camera, busy, seen }: CameraBoxProps) => {
  const { control, now } = camera
  const running = now.phase.type !== 'off' && now.phase.type !== 'failed'
  return (
    <section className={styles.camera} aria-label={PAIRING.picture} data-camera={now.phase.type}>
      <div className={cx(styles.picture, running && styles.on)}>
        <video ref={control.attach} className={styles.video} muted playsInline />
      </div>
      {running && seen === null ? (
        <p className={styles.aim} role="status">
          {now.phase.type === 'initializing' ? CAMERA_STATES.initializing : PAIRING.aim}
        </p>
      ) : null}
      {running && seen !== null ? (
        <Banner tone="bad" live="alert">
          <p>{seen}</p>
        </Banner>
      ) : null}
      {now.fault === null ? null : (
        <Banner tone="warn" live="alert">
          <p>
            {now.fault.text} {PAIRING.camera}
          </p>
        </Banner>
      )}
      {running ? (
        <Button size="lg" icon={<Square />} onClick={control.stop}>
          {PAIRING.stop}
        </Button>
      ) : (
        <Button size="lg" tone="primary" icon={<QrCode />} disabled={busy} onClick={control.start}>
          {PAIRING.scan}
        </Button>
      )}
    </section>
  )
}
