import type { Language } from "./messages.ts";

/** The parts of a language in the order of its fields, between bars. */
function languageOf(text: string): Language {
  const [end = "", id = "", amount = "", currency = "", yes = "", no = "", ...more] = text.split(/\s*\|\s*/);
  const [accept = "", reject = "", defer = "", note = "", objection = "", noObjection = "", ...ways] = more;
  const [from = "", to = ""] = ways;
  const [urgent, decision] = [[yes, no] as const, [accept, reject, defer] as const];
  return { end, id, amount, currency, urgent, decision, note, objection, noObjection, from, to };
}

/** For tests: the languages that the rules were tried on while they were made. */
export const LANGUAGES: readonly Language[] = [
  `. | This is about order %. | The customer was charged %. | The currency is %. | It is urgent. | It is not urgent. |
   I accept this. | I reject this. | I would decide that later. | Note that %. |
   I object to % because it is false. | No objections. | % pays. | The money goes to %.`,
  `. | Es geht um Bestellung %. | Berechnet wurden %. | Die Währung ist %. | Es eilt. | Es eilt nicht. |
   Ich nehme an. | Ich lehne das ab. | Das entscheide ich später. | Zu beachten: %. |
   Ich widerspreche %, denn das ist falsch. | Keine Einwände. | Es zahlt %. | Das Geld geht an %.`,
  `。 | 订单号是 % 。 | 金额为 % 。 | 货币是 % 。 | 这很紧急。 | 这不紧急。 |
   我接受。 | 我拒绝。 | 以后再决定。 | 备注：%。 |
   我反对 %，因为不对。 | 没有异议。 | 付款人是 %。 | 收款人是 %。`,
].map(languageOf);

/** Held out: not looked at while the rules were made. */
export const OTHER_LANGUAGES: readonly Language[] = [
  `. | Il s'agit de la commande %. | Le montant s'élève à %. | La devise est %. | C'est urgent. | Ce n'est pas urgent. |
   J'accepte. | Je refuse. | Je verrai plus tard. | À noter : %. |
   Je conteste % car c'est faux. | Aucune objection. | % paie. | L'argent va à %.`,
  `. | Речь о заказе %. | Сумма составляет %. | Валюта %. | Это срочно. | Это не срочно. |
   Я согласен. | Я отклоняю. | Решу позже. | Примечание: %. |
   Я возражаю против % потому что это ложь. | Возражений нет. | Платит %. | Деньги получит %.`,
  `۔ | الطلب رقم %. | المبلغ %. | العملة %. | الأمر عاجل. | الأمر غير عاجل. |
   أقبل هذا. | أرفض هذا. | سأقرر لاحقا. | ملاحظة: %. |
   أعترض على % لأنه خطأ. | لا اعتراض. | يدفع %. | يذهب المال إلى %.`,
].map(languageOf);
