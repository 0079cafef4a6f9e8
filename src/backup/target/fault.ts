import { errorCode, errorMessage } from '../../platform/errors/error_code.ts'

/** Explains a failure in one sentence. Blames the backup folder or bucket unless the error names another path. */
export function explainTargetFault(label: string, error: unknown): string {
  const path = error instanceof Error && 'path' in error ? error.path : undefined
  if (typeof path === 'string' && !path.startsWith(label)) return errorMessage(error)
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `No space left in ${label}`
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return `The folder ${label} is missing or is a file (${errorMessage(error)})`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `Can't write to ${label} (${errorMessage(error)})`
    case 'EIO':
    case 'ESTALE':
      return `Disk error in ${label} (${errorMessage(error)})`
    default:
      return errorMessage(error)
  }
}
