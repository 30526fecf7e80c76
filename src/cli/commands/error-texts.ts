import { resultHint } from '../../platform/envelope.ts';
import {
  AUTHENTICATION_ERROR,
  CHECK_AND_RETRY,
  FIND_MISTAKE,
  findResultCode,
  RESULT_CODES,
  type ResultCode,
} from '../../protocol/result-codes.ts';
import { RESULT_CODES_ZH } from '../../protocol/result-codes-zh.ts';

/** The texts of `mop errors` in one language. */
export interface ErrorTexts {
  readonly codes: readonly ResultCode[];
  readonly headings: readonly string[];
  readonly labels: Readonly<Record<'meaning' | 'action' | 'retry' | 'exitCode' | 'hint', string>>;
  readonly retry: Readonly<Record<ResultCode['retry'], string>>;
  /** Undefined for a code without a hint besides its action. */
  readonly hint: (code: number) => string | undefined;
  readonly unknownCode: (text: string) => { readonly message: string; readonly hint: string };
}

const HINTS_ZH: Readonly<Record<number, string>> = {
  [-1]: '平台异常，请稍后重试',
  1002: '查找错误，请运行：mop sign verify --last',
  1003: '检查 api_key 和环境：mop config list 会显示这两项',
  1052: '换一个日期；平台只保留最近三个月的账单',
  1055: '校准本机时钟，误差不得超过一分钟；mop doctor 会显示误差',
  2000: '检查操作的路径和 --mode，并确认账号有权调用该操作',
};

const CORRECT_FIELD_ZH = '修正请求的字段；--verbose 会打印请求';

export const ERROR_TEXTS: Readonly<Record<'en' | 'zh', ErrorTexts>> = {
  en: {
    codes: RESULT_CODES,
    headings: ['CODE', 'MEANING', 'ACTION'],
    labels: {
      meaning: 'meaning',
      action: 'action',
      retry: 'retry',
      exitCode: 'exit code',
      hint: 'hint',
    },
    retry: { 'as-is': 'unchanged', 'after-fix': 'after the request is corrected', no: 'no' },
    // The library stores no call, so its hint differs.
    hint: (code) => (code === AUTHENTICATION_ERROR ? FIND_MISTAKE : resultHint(code)),
    unknownCode: (text) => ({
      message: `there is no result code ${JSON.stringify(text)}`,
      hint: 'mop errors lists the documented codes; ask the platform about other codes',
    }),
  },
  zh: {
    codes: RESULT_CODES_ZH,
    headings: ['代码', '含义', '处理方式'],
    labels: {
      meaning: '含义',
      action: '处理方式',
      retry: '重试',
      exitCode: '退出码',
      hint: '建议',
    },
    retry: { 'as-is': '原样重试', 'after-fix': '修正后重试', no: '不要重试' },
    hint: (code) =>
      HINTS_ZH[code] ??
      (findResultCode(code)?.action === CHECK_AND_RETRY ? CORRECT_FIELD_ZH : undefined),
    unknownCode: (text) => ({
      message: `没有结果码 ${JSON.stringify(text)}`,
      hint: 'mop errors 列出文档中的结果码；其他结果码请咨询平台',
    }),
  },
};
