/** Tool as an MCP client offers it to its model. */
export type OfferedTool = { name: string; description: string; inputSchema: object }

export type ToolUse = { id: string; name: string; args: Readonly<Record<string, unknown>> }

export type ToolResult = { id: string; name: string; text: string; isError: boolean }

/** What a model gets next: words of the person, or the results of its calls. */
export type ModelInput = { person: string } | { results: readonly ToolResult[] }

/** What a model answers: words, calls, or both. Without calls it has finished. */
export type Turn = { text: string; calls: readonly ToolUse[]; usage: Usage }

export type Usage = { inputTokens: number; outputTokens: number }

export const NO_USAGE: Usage = { inputTokens: 0, outputTokens: 0 }

export type Dialog = { runTurn(message: ModelInput): Promise<Turn> }

/** What a conversation begins with; `signal` aborts when the exam is stopped. */
export type ExamSetting = { instructions: string; tools: readonly OfferedTool[]; signal: AbortSignal }

/** Whoever sits the exam: a model, or a scripted agent. */
export type Examinee<ExamSubject> = {
  name: string
  /** Begins a conversation. Only scripted agents look at the subject. */
  begin(setting: ExamSetting & { subject: ExamSubject }): Dialog
}
