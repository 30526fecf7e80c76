import { RESULT_CODES, type ResultCode } from './result-codes.ts';

const CHECK_AND_RETRY = '检查参数后重试';
const COUPON_CLAIM = '适用于领券操作';
const CEILING = '当前无法向该用户发放该卡';

const TEXTS: Readonly<Record<number, readonly [meaning: string, action?: string]>> = {
  0: ['成功', '-'],
  [-1]: ['服务异常', '重试'],
  1001: ['参数错误'],
  1002: ['鉴权失败'],
  1003: ['api_key 无效'],
  1004: ['手机号无效'],
  1005: ['身份证号无效'],
  1006: ['性别无效'],
  1007: ['车牌号无效'],
  1008: ['注册日期无效'],
  1009: ['发证日期无效'],
  1010: ['使用性质无效'],
  1011: ['车辆类型无效'],
  1012: ['初次领证日期无效'],
  1013: ['有效期起始日期无效'],
  1014: ['有效期截止日期无效'],
  1015: ['商品价格无效'],
  1016: ['订单费用无效'],
  1050: ['页码无效'],
  1051: ['每页条数无效'],
  1052: ['时间范围无效'],
  1053: ['融合车型无效'],
  1054: ['车辆信息服务异常'],
  1055: ['时间戳无效'],
  1056: ['融合车型数量无效'],
  2000: ['非法操作'],
  2001: ['批次不存在'],
  2002: ['批次未开始'],
  2003: ['批次已结束'],
  2004: ['领券记录不存在'],
  2005: ['用户领券数量已达上限', COUPON_CLAIM],
  2006: ['批次无库存', COUPON_CLAIM],
  2301: ['省钱卡有效期超过上限', CEILING],
  2302: ['省钱卡无库存', '充值购买后重试'],
  2303: ['已发放成功', '无需重试'],
};

/**
 * {@link RESULT_CODES} with `meaning` and `action` in Chinese.
 *
 * @example
 * ```ts
 * import { RESULT_CODES_ZH } from 'mop-cli';
 *
 * console.log(RESULT_CODES_ZH.find(({ code }) => code === 1002)?.meaning);
 * // 鉴权失败
 * ```
 */
export const RESULT_CODES_ZH: readonly ResultCode[] = RESULT_CODES.map((row) => {
  const [meaning = row.meaning, action = CHECK_AND_RETRY] = TEXTS[row.code] ?? [];
  return { ...row, meaning, action };
});
