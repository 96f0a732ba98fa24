// What the page of an appointment says, in the recipient's language: that of the calendar, or of the browser.
const { millis } = require('./shared/millis.js');
const { COMMON, directionOf, languageOfBrowser, translated } = require('./shared/pageLanguages.js');
const { rowsOf } = require('./shared/tables.js');
const { escape, linked } = require('./shared/texts.js');

const TEXTS = {
	en: {
		title: 'Your appointment',
		coming: 'I’ll come',
		'another time': 'I need another time',
		cancel: 'Cancel the appointment',
		'coming done': 'Thank you. See you then.',
		'another time done': 'We will contact you about another time.',
		'cancel done': 'Your appointment is cancelled.',
		moved: 'This appointment is at another time now. The last message is right.',
		cancelled: 'This appointment was cancelled.',
		over: 'This appointment has begun or is over.',
	},
	ar: {
		title: 'موعدك',
		coming: 'سأحضر',
		'another time': 'أحتاج إلى موعد آخر',
		cancel: 'إلغاء الموعد',
		'coming done': 'شكرًا لك. نراك في الموعد.',
		'another time done': 'سنتواصل معك بشأن موعد آخر.',
		'cancel done': 'تم إلغاء موعدك.',
		moved: 'تغيّر وقت هذا الموعد. الرسالة الأخيرة هي الصحيحة.',
		cancelled: 'تم إلغاء هذا الموعد.',
		over: 'لقد بدأ هذا الموعد أو انتهى.',
	},
	de: {
		title: 'Ihr Termin',
		coming: 'Ich komme',
		'another time': 'Ich brauche einen anderen Termin',
		cancel: 'Termin absagen',
		'coming done': 'Danke. Bis dann.',
		'another time done': 'Wir melden uns wegen eines anderen Termins.',
		'cancel done': 'Ihr Termin ist abgesagt.',
		moved: 'Dieser Termin ist jetzt zu einer anderen Zeit. Es gilt die letzte Nachricht.',
		cancelled: 'Dieser Termin wurde abgesagt.',
		over: 'Dieser Termin hat begonnen oder ist vorbei.',
	},
	es: {
		title: 'Su cita',
		coming: 'Asistiré',
		'another time': 'Necesito otra hora',
		cancel: 'Cancelar la cita',
		'coming done': 'Gracias. Le esperamos.',
		'another time done': 'Le contactaremos para acordar otra hora.',
		'cancel done': 'Su cita está cancelada.',
		moved: 'Esta cita es ahora a otra hora. El último mensaje es el correcto.',
		cancelled: 'Esta cita se ha cancelado.',
		over: 'Esta cita ha empezado o ya ha pasado.',
	},
	fr: {
		title: 'Votre rendez-vous',
		coming: 'Je viendrai',
		'another time': 'Il me faut un autre horaire',
		cancel: 'Annuler le rendez-vous',
		'coming done': 'Merci. À bientôt.',
		'another time done': 'Nous vous contacterons pour un autre horaire.',
		'cancel done': 'Votre rendez-vous est annulé.',
		moved: 'Ce rendez-vous a changé d’horaire. Le dernier message est le bon.',
		cancelled: 'Ce rendez-vous a été annulé.',
		over: 'Ce rendez-vous a commencé ou est passé.',
	},
	hi: {
		title: 'आपका अपॉइंटमेंट',
		coming: 'मैं आऊँगा/आऊँगी',
		'another time': 'मुझे दूसरा समय चाहिए',
		cancel: 'अपॉइंटमेंट रद्द करें',
		'coming done': 'धन्यवाद। तब मिलते हैं।',
		'another time done': 'दूसरे समय के लिए हम आपसे संपर्क करेंगे।',
		'cancel done': 'आपका अपॉइंटमेंट रद्द हो गया है।',
		moved: 'यह अपॉइंटमेंट अब दूसरे समय पर है। पिछला संदेश सही है।',
		cancelled: 'यह अपॉइंटमेंट रद्द कर दिया गया है।',
		over: 'यह अपॉइंटमेंट शुरू हो चुका है या बीत चुका है।',
	},
	id: {
		title: 'Janji temu Anda',
		coming: 'Saya akan datang',
		'another time': 'Saya perlu waktu lain',
		cancel: 'Batalkan janji temu',
		'coming done': 'Terima kasih. Sampai jumpa.',
		'another time done': 'Kami akan menghubungi Anda tentang waktu lain.',
		'cancel done': 'Janji temu Anda dibatalkan.',
		moved: 'Janji temu ini sekarang pada waktu lain. Pesan terakhir yang benar.',
		cancelled: 'Janji temu ini telah dibatalkan.',
		over: 'Janji temu ini sudah dimulai atau berlalu.',
	},
	it: {
		title: 'Il suo appuntamento',
		coming: 'Verrò',
		'another time': 'Mi serve un altro orario',
		cancel: 'Annulla l’appuntamento',
		'coming done': 'Grazie. A presto.',
		'another time done': 'La contatteremo per un altro orario.',
		'cancel done': 'Il suo appuntamento è annullato.',
		moved: 'Questo appuntamento è ora a un altro orario. Vale l’ultimo messaggio.',
		cancelled: 'Questo appuntamento è stato annullato.',
		over: 'Questo appuntamento è iniziato o è passato.',
	},
	ja: {
		title: 'ご予約',
		coming: '伺います',
		'another time': '日時を変更したい',
		cancel: '予約をキャンセルする',
		'coming done': 'ありがとうございます。お待ちしております。',
		'another time done': '別の日時について、こちらからご連絡します。',
		'cancel done': 'ご予約をキャンセルしました。',
		moved: 'このご予約は日時が変わりました。最新のメッセージをご確認ください。',
		cancelled: 'このご予約はキャンセルされました。',
		over: 'このご予約の時刻を過ぎています。',
	},
	nl: {
		title: 'Uw afspraak',
		coming: 'Ik kom',
		'another time': 'Ik heb een andere tijd nodig',
		cancel: 'Afspraak afzeggen',
		'coming done': 'Bedankt. Tot dan.',
		'another time done': 'We nemen contact met u op over een andere tijd.',
		'cancel done': 'Uw afspraak is afgezegd.',
		moved: 'Deze afspraak is nu op een andere tijd. Het laatste bericht klopt.',
		cancelled: 'Deze afspraak is afgezegd.',
		over: 'Deze afspraak is begonnen of voorbij.',
	},
	pl: {
		title: 'Państwa wizyta',
		coming: 'Przyjdę',
		'another time': 'Potrzebuję innego terminu',
		cancel: 'Odwołaj wizytę',
		'coming done': 'Dziękujemy. Do zobaczenia.',
		'another time done': 'Skontaktujemy się w sprawie innego terminu.',
		'cancel done': 'Wizyta jest odwołana.',
		moved: 'Termin tej wizyty się zmienił. Obowiązuje ostatnia wiadomość.',
		cancelled: 'Ta wizyta została odwołana.',
		over: 'Ta wizyta już się rozpoczęła lub minęła.',
	},
	'pt-BR': {
		title: 'Seu horário',
		coming: 'Eu vou',
		'another time': 'Preciso de outro horário',
		cancel: 'Cancelar o horário',
		'coming done': 'Obrigado. Até lá.',
		'another time done': 'Entraremos em contato sobre outro horário.',
		'cancel done': 'Seu horário foi cancelado.',
		moved: 'Este horário mudou. Vale a última mensagem.',
		cancelled: 'Este horário foi cancelado.',
		over: 'Este horário já começou ou passou.',
	},
	ru: {
		title: 'Ваша запись',
		coming: 'Я приду',
		'another time': 'Мне нужно другое время',
		cancel: 'Отменить запись',
		'coming done': 'Спасибо. До встречи.',
		'another time done': 'Мы свяжемся с вами, чтобы выбрать другое время.',
		'cancel done': 'Ваша запись отменена.',
		moved: 'Время этой записи изменилось. Верно последнее сообщение.',
		cancelled: 'Эта запись отменена.',
		over: 'Время этой записи уже наступило или прошло.',
	},
	tr: {
		title: 'Randevunuz',
		coming: 'Geleceğim',
		'another time': 'Başka bir saate ihtiyacım var',
		cancel: 'Randevuyu iptal et',
		'coming done': 'Teşekkürler. Görüşmek üzere.',
		'another time done': 'Başka bir saat için sizinle iletişime geçeceğiz.',
		'cancel done': 'Randevunuz iptal edildi.',
		moved: 'Bu randevunun saati değişti. Son mesaj geçerlidir.',
		cancelled: 'Bu randevu iptal edildi.',
		over: 'Bu randevu başladı veya geçti.',
	},
	uk: {
		title: 'Ваш запис',
		coming: 'Я прийду',
		'another time': 'Мені потрібен інший час',
		cancel: 'Скасувати запис',
		'coming done': 'Дякуємо. До зустрічі.',
		'another time done': 'Ми зв’яжемося з вами щодо іншого часу.',
		'cancel done': 'Ваш запис скасовано.',
		moved: 'Час цього запису змінився. Правильне останнє повідомлення.',
		cancelled: 'Цей запис скасовано.',
		over: 'Час цього запису вже настав або минув.',
	},
	'zh-CN': {
		title: '您的预约',
		coming: '我会来',
		'another time': '我需要改时间',
		cancel: '取消预约',
		'coming done': '谢谢，到时见。',
		'another time done': '我们会与您联系另约时间。',
		'cancel done': '您的预约已取消。',
		moved: '此预约的时间已更改，请以最新消息为准。',
		cancelled: '此预约已取消。',
		over: '此预约已开始或已结束。',
	},
};
const ANSWERS = ['coming', 'another time', 'cancel'];

const opened = $('Appointment opened').isExecuted ? $('Appointment opened') : $('Answer pressed');
const { headers } = opened.first().json;
const isValid = $('Decide answer').isExecuted;
const decided = isValid ? $('Decide answer').first().json : {};
/** Settings of the other workflow, which stores them with each run. */
const keys = rowsOf($('Page keys').all());
const settings = JSON.parse(keys.find(({ name }) => name === 'appointment page')?.key ?? '{}');
const language =
	translated(String(decided.language ?? '').trim() || languageOfBrowser(headers)) ?? 'en';
const texts = { ...COMMON[language], ...TEXTS[language] };
const contact = [escape(settings.sender), escape(settings.place), linked(settings.contact)]
	.filter(Boolean)
	.join(' · ');
/** Dates are written as in the message, if it has the same language. */
const locale = translated(settings.language ?? '') === language ? settings.language : language;

function when() {
	const zone = decided.timezone || settings.timezone || 'utc';
	const at = DateTime.fromMillis(millis(decided.startsAt), { zone, locale });
	return [
		at.toLocaleString({ weekday: 'long', day: 'numeric', month: 'long' }),
		at.toLocaleString(DateTime.TIME_SIMPLE) + (zone === settings.timezone ? '' : ` (${zone})`),
	].join(', ');
}

const button = (answer) =>
	`<button name="answer" value="${answer}"${answer === 'coming' ? '' : ' class="second"'}>${escape(texts[answer])}</button>`;

function page() {
	if (!isValid || decided.state === 'gone')
		return { status: 404, title: texts.invalid, text: texts.again };
	const { title, state, canAnswer, isStored } = decided;
	const about = [when(), title].filter(Boolean).join(' · ');
	if (!canAnswer) return { status: 200, title: texts.title, about, text: texts[state] };
	const stored = $('Store answer').isExecuted ? $('Store answer').first().json : undefined;
	if (isStored && !(Number.isInteger(stored?.id) && stored.answer === decided.answer))
		return { status: 503, title: texts.notStored, about, text: texts.later };
	const answer = stored ? decided.asked : state;
	const chosen = ANSWERS.includes(answer) ? answer : '';
	const hasCancelled = decided.hasCancelled || chosen === 'cancel';
	const others = ANSWERS.filter((each) => each !== chosen && !(hasCancelled && each === 'coming'));
	return {
		...{ status: 200, title: texts.title, about, text: chosen ? texts[`${chosen} done`] : '' },
		form: `<form method="post">${others.map(button).join('')}</form>`,
	};
}

const { status, form = '', ...shown } = page();
const escaped = Object.fromEntries(
	Object.entries(shown).map(([name, text]) => [name, escape(text)]),
);
return [
	{
		json: {
			...{ language, direction: directionOf(language), status, form, about: '', ...escaped },
			contact,
		},
	},
];
