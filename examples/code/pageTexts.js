// What the page says, in the language of the campaign. Without one, or with an incomplete link, in the language of the browser.
// A text of the campaign that is still the English one below is translated.
const { COMMON, directionOf, languageOfBrowser, translated } = require('./shared/pageLanguages.js');
const { escape, linked } = require('./shared/texts.js');

const OWN_TEXTS = {
	en: {
		title: 'No more messages?',
		text: 'If you press the button, you will get no more offers from us.',
		button: 'Stop the messages',
		done: 'You get no more messages',
		back: 'If you change your mind, contact us.',
		test: 'This message was only a test, so nothing was stored.',
	},
	ar: {
		title: 'إيقاف الرسائل؟',
		text: 'إذا ضغطت على الزر، فلن تتلقى منا عروضًا بعد الآن.',
		button: 'إيقاف الرسائل',
		done: 'لن تتلقى رسائل بعد الآن',
		back: 'إذا غيّرت رأيك، فتواصل معنا.',
		test: 'كانت هذه الرسالة مجرد اختبار، لذلك لم يُحفظ شيء.',
	},
	de: {
		title: 'Keine Nachrichten mehr?',
		text: 'Wenn Sie auf den Knopf drücken, erhalten Sie von uns keine Angebote mehr.',
		button: 'Nachrichten abbestellen',
		done: 'Sie erhalten keine Nachrichten mehr',
		back: 'Wenn Sie es sich anders überlegen, wenden Sie sich an uns.',
		test: 'Diese Nachricht war nur ein Test, deshalb wurde nichts gespeichert.',
	},
	es: {
		title: '¿No desea más mensajes?',
		text: 'Si pulsa el botón, no recibirá más ofertas nuestras.',
		button: 'Dejar de recibir mensajes',
		done: 'Ya no recibirá más mensajes',
		back: 'Si cambia de opinión, póngase en contacto con nosotros.',
		test: 'Este mensaje era solo una prueba, por lo que no se ha guardado nada.',
	},
	fr: {
		title: 'Ne plus recevoir de messages ?',
		text: 'Si vous appuyez sur le bouton, vous ne recevrez plus d’offres de notre part.',
		button: 'Arrêter les messages',
		done: 'Vous ne recevrez plus de messages',
		back: 'Si vous changez d’avis, contactez-nous.',
		test: 'Ce message n’était qu’un test : rien n’a été enregistré.',
	},
	hi: {
		title: 'क्या आप और संदेश नहीं चाहते?',
		text: 'बटन दबाने पर आपको हमारी ओर से और ऑफ़र नहीं मिलेंगे।',
		button: 'संदेश बंद करें',
		done: 'अब आपको संदेश नहीं मिलेंगे',
		back: 'अगर आपका मन बदल जाए, तो हमसे संपर्क करें।',
		test: 'यह संदेश केवल एक परीक्षण था, इसलिए कुछ भी सहेजा नहीं गया।',
	},
	id: {
		title: 'Berhenti menerima pesan?',
		text: 'Jika Anda menekan tombol ini, Anda tidak akan menerima penawaran lagi dari kami.',
		button: 'Hentikan pesan',
		done: 'Anda tidak akan menerima pesan lagi',
		back: 'Jika Anda berubah pikiran, hubungi kami.',
		test: 'Pesan ini hanya uji coba, jadi tidak ada yang disimpan.',
	},
	it: {
		title: 'Non ricevere più messaggi?',
		text: 'Se preme il pulsante, non riceverà più offerte da parte nostra.',
		button: 'Interrompi i messaggi',
		done: 'Non riceverà più messaggi',
		back: 'Se cambia idea, ci contatti.',
		test: 'Questo messaggio era solo una prova, quindi non è stato salvato nulla.',
	},
	ja: {
		title: 'メッセージの配信を停止しますか?',
		text: 'ボタンを押すと、今後、当社からのご案内は届かなくなります。',
		button: '配信を停止する',
		done: '配信を停止しました',
		back: '再開をご希望の場合は、お問い合わせください。',
		test: 'このメッセージはテストのため、何も保存されませんでした。',
	},
	nl: {
		title: 'Geen berichten meer?',
		text: 'Als u op de knop drukt, ontvangt u geen aanbiedingen meer van ons.',
		button: 'Berichten stoppen',
		done: 'U ontvangt geen berichten meer',
		back: 'Als u van gedachten verandert, neem dan contact met ons op.',
		test: 'Dit bericht was alleen een test, dus er is niets opgeslagen.',
	},
	pl: {
		title: 'Nie chcesz więcej wiadomości?',
		text: 'Po naciśnięciu przycisku nie będziemy już wysyłać żadnych ofert.',
		button: 'Zatrzymaj wiadomości',
		done: 'Nie będziemy już wysyłać wiadomości',
		back: 'W razie zmiany decyzji prosimy o kontakt.',
		test: 'Ta wiadomość była tylko testem, więc niczego nie zapisano.',
	},
	'pt-BR': {
		title: 'Não quer mais mensagens?',
		text: 'Se você pressionar o botão, não receberá mais ofertas nossas.',
		button: 'Parar as mensagens',
		done: 'Você não receberá mais mensagens',
		back: 'Se mudar de ideia, entre em contato conosco.',
		test: 'Esta mensagem foi apenas um teste, então nada foi salvo.',
	},
	ru: {
		title: 'Больше не присылать сообщения?',
		text: 'Если вы нажмёте кнопку, вы больше не будете получать от нас предложения.',
		button: 'Отключить сообщения',
		done: 'Вы больше не будете получать сообщения',
		back: 'Если передумаете, свяжитесь с нами.',
		test: 'Это сообщение было только тестом, поэтому ничего не сохранено.',
	},
	tr: {
		title: 'Artık mesaj istemiyor musunuz?',
		text: 'Düğmeye basarsanız artık bizden teklif almayacaksınız.',
		button: 'Mesajları durdur',
		done: 'Artık mesaj almayacaksınız',
		back: 'Fikrinizi değiştirirseniz bize ulaşın.',
		test: 'Bu mesaj yalnızca bir testti, bu nedenle hiçbir şey kaydedilmedi.',
	},
	uk: {
		title: 'Більше не надсилати повідомлень?',
		text: 'Якщо ви натиснете кнопку, ви більше не отримуватимете від нас пропозицій.',
		button: 'Вимкнути повідомлення',
		done: 'Ви більше не отримуватимете повідомлень',
		back: 'Якщо передумаєте, зв’яжіться з нами.',
		test: 'Це повідомлення було лише тестом, тому нічого не збережено.',
	},
	'zh-CN': {
		title: '不再接收消息？',
		text: '按下按钮后，您将不再收到我们的优惠信息。',
		button: '停止接收消息',
		done: '您将不再收到消息',
		back: '如果您改变主意，请联系我们。',
		test: '此消息仅为测试，因此未保存任何内容。',
	},
};

const campaign = $('Campaign').isExecuted ? $('Campaign').first().json : {};
const opened = $('Link opened').isExecuted ? $('Link opened') : $('Button pressed');
const { headers } = opened.first().json;
const language = String(campaign.language ?? '').trim() || languageOfBrowser(headers);
const known = translated(language) ?? 'en';
const texts = { ...COMMON[known], ...OWN_TEXTS[known] };
const own = {
	title: campaign.optOutTitle,
	text: campaign.optOutText,
	button: campaign.optOutButton,
	done: campaign.optOutDone,
	back: campaign.optOutBack,
};

const shown = (name) =>
	escape(own[name] && own[name] !== OWN_TEXTS.en[name] ? own[name] : texts[name]);

/** The sender of the message, how to reach them, and the campaign. */
const sender = [escape(campaign.sender), linked(campaign.contact), escape(campaign.name)]
	.filter(Boolean)
	.join(' · ');

const link = $('Link').first().json;
const stored = $('Store opt-out').isExecuted ? $('Store opt-out').first().json : undefined;
const isStored = Number.isInteger(stored?.id) && stored.token === link.token;
const isOptedOut = $('Opt-out').isExecuted && $('Opt-out').first().json.id !== undefined;
function page() {
	if (!$('Campaign').isExecuted)
		return { status: 404, title: shown('invalid'), text: shown('again'), form: '' };
	if (isStored || isOptedOut)
		return { status: 200, title: shown('done'), text: shown('back'), form: '' };
	// The test number got the message, and its recipient did not.
	if (!stored && $('Only a test?').isExecuted)
		return { status: 200, title: shown('notStored'), text: shown('test'), form: '' };
	if (stored) return { status: 503, title: shown('notStored'), text: shown('later'), form: '' };
	const form = `<form method="post"><button>${shown('button')}</button></form>`;
	return { status: 200, title: shown('title'), text: shown('text'), form };
}
return [
	{
		json: {
			language: escape(language),
			direction: directionOf(language),
			sender,
			...page(),
		},
	},
];
