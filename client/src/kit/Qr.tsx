import { QRCodeSVG } from 'qrcode.react'

/** The quiet zone that the QR standard requires. */
const QUIET_MODULES = 4

/**
 * The code is drawn on this device, even offline: level M, black on white with its quiet zone, never tinted. The parent
 * sets the size.
 */
export const Qr = ({ text, label, className }: { text: string; label: string; className?: string | undefined }) => (
  <QRCodeSVG
    value={text}
    level="M"
    boostLevel={false}
    marginSize={QUIET_MODULES}
    bgColor="#ffffff"
    fgColor="#000000"
    className={className}
    role="img"
    aria-label={label}
  />
)
