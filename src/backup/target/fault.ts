import { errorCode, errorMessage } from '../../platform/errors/error_code.ts'

/** Returns one sentence on what failed in the backup folder or bucket, for the operator. */
export function explainTargetFault(label: string, error: unknown): string {
  switch (errorCode(error)) {
    case 'ENOSPC':
    case 'EDQUOT':
      return `There is no room left in ${label}`
    case 'ENOENT':
    case 'ENOTDIR':
    case 'EEXIST':
      return `The folder ${label} is gone, or is a file (${errorMessage(error)})`
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return `${label} can't be written (${errorMessage(error)})`
    case 'EIO':
    case 'ESTALE':
      return `The disk of ${label} fails (${errorMessage(error)})`
    default:
      return errorMessage(error)
  }
}
