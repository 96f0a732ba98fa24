// What the page says, in the language of the campaign. Without one, or with an incomplete link, in the language of the browser.
// A text of the campaign that is still the English one below is translated.
const TEXTS = {
	en: {
		title: 'No more messages?',
		text: 'You will get no more offers from us.',
		button: 'Stop the messages',
		done: 'You get no more messages',
		back: 'If you change your mind, contact us.',
		invalid: 'Invalid link',
		again: 'This link is incomplete. Open it from the message.',
		notStored: 'Not stored',
		later: 'This could not be stored. Press the button again later, or contact us.',
		test: 'This message was only a test, so nothing was stored.',
	},
	ar: {
		title: 'إيقاف الرسائل؟',
		text: 'لن تتلقى منا عروضًا بعد الآن.',
		button: 'إيقاف الرسائل',
		done: 'لن تتلقى رسائل بعد الآن',
		back: 'إذا غيّرت رأيك، فتواصل معنا.',
		invalid: 'رابط غير صالح',
		again: 'هذا الرابط غير مكتمل. افتحه من الرسالة.',
		notStored: 'لم يتم الحفظ',
		later: 'تعذّر حفظ طلبك. اضغط على الزر مرة أخرى لاحقًا، أو تواصل معنا.',
		test: 'كانت هذه الرسالة مجرد اختبار، لذلك لم يُحفظ شيء.',
	},
	de: {
		title: 'Keine Nachrichten mehr?',
		text: 'Sie erhalten von uns keine Angebote mehr.',
		button: 'Nachrichten abbestellen',
		done: 'Sie erhalten keine Nachrichten mehr',
		back: 'Wenn Sie es sich anders überlegen, wenden Sie sich an uns.',
		invalid: 'Ungültiger Link',
		again: 'Dieser Link ist unvollständig. Öffnen Sie ihn aus der Nachricht.',
		notStored: 'Nicht gespeichert',
		later:
			'Das konnte nicht gespeichert werden. Versuchen Sie es später noch einmal, oder wenden Sie sich an uns.',
		test: 'Diese Nachricht war nur ein Test, deshalb wurde nichts gespeichert.',
	},
	es: {
		title: '¿No desea más mensajes?',
		text: 'No recibirá más ofertas nuestras.',
		button: 'Dejar de recibir mensajes',
		done: 'Ya no recibirá más mensajes',
		back: 'Si cambia de opinión, póngase en contacto con nosotros.',
		invalid: 'Enlace no válido',
		again: 'Este enlace está incompleto. Ábralo desde el mensaje.',
		notStored: 'No se ha guardado',
		later:
			'No se ha podido guardar. Vuelva a pulsar el botón más tarde o póngase en contacto con nosotros.',
		test: 'Este mensaje era solo una prueba, por lo que no se ha guardado nada.',
	},
	fr: {
		title: 'Ne plus recevoir de messages ?',
		text: 'Vous ne recevrez plus d’offres de notre part.',
		button: 'Arrêter les messages',
		done: 'Vous ne recevrez plus de messages',
		back: 'Si vous changez d’avis, contactez-nous.',
		invalid: 'Lien non valide',
		again: 'Ce lien est incomplet. Ouvrez-le depuis le message.',
		notStored: 'Non enregistré',
		later: 'Votre choix n’a pas pu être enregistré. Réessayez plus tard, ou contactez-nous.',
		test: 'Ce message n’était qu’un test : rien n’a été enregistré.',
	},
	hi: {
		title: 'क्या आप और संदेश नहीं चाहते?',
		text: 'आपको हमारी ओर से और ऑफ़र नहीं मिलेंगे।',
		button: 'संदेश बंद करें',
		done: 'अब आपको संदेश नहीं मिलेंगे',
		back: 'अगर आपका मन बदल जाए, तो हमसे संपर्क करें।',
		invalid: 'अमान्य लिंक',
		again: 'यह लिंक अधूरा है। इसे संदेश से खोलें।',
		notStored: 'सहेजा नहीं गया',
		later: 'यह सहेजा नहीं जा सका। बाद में फिर से बटन दबाएँ, या हमसे संपर्क करें।',
		test: 'यह संदेश केवल एक परीक्षण था, इसलिए कुछ भी सहेजा नहीं गया।',
	},
	id: {
		title: 'Berhenti menerima pesan?',
		text: 'Anda tidak akan menerima penawaran lagi dari kami.',
		button: 'Hentikan pesan',
		done: 'Anda tidak akan menerima pesan lagi',
		back: 'Jika Anda berubah pikiran, hubungi kami.',
		invalid: 'Tautan tidak valid',
		again: 'Tautan ini tidak lengkap. Buka dari pesan.',
		notStored: 'Tidak tersimpan',
		later: 'Pilihan Anda tidak dapat disimpan. Tekan tombol itu lagi nanti, atau hubungi kami.',
		test: 'Pesan ini hanya uji coba, jadi tidak ada yang disimpan.',
	},
	it: {
		title: 'Non ricevere più messaggi?',
		text: 'Non riceverà più offerte da parte nostra.',
		button: 'Interrompi i messaggi',
		done: 'Non riceverà più messaggi',
		back: 'Se cambia idea, ci contatti.',
		invalid: 'Link non valido',
		again: 'Questo link è incompleto. Lo apra dal messaggio.',
		notStored: 'Non salvato',
		later:
			'Non è stato possibile salvare la scelta. Prema di nuovo il pulsante più tardi o ci contatti.',
		test: 'Questo messaggio era solo una prova, quindi non è stato salvato nulla.',
	},
	ja: {
		title: 'メッセージの配信を停止しますか?',
		text: '今後、当社からのご案内は届きません。',
		button: '配信を停止する',
		done: '配信を停止しました',
		back: '再開をご希望の場合は、お問い合わせください。',
		invalid: '無効なリンク',
		again: 'リンクが不完全です。メッセージから開き直してください。',
		notStored: '保存できませんでした',
		later: '保存できませんでした。後でもう一度ボタンを押すか、お問い合わせください。',
		test: 'このメッセージはテストのため、何も保存されませんでした。',
	},
	nl: {
		title: 'Geen berichten meer?',
		text: 'U ontvangt geen aanbiedingen meer van ons.',
		button: 'Berichten stoppen',
		done: 'U ontvangt geen berichten meer',
		back: 'Als u van gedachten verandert, neem dan contact met ons op.',
		invalid: 'Ongeldige link',
		again: 'Deze link is onvolledig. Open hem vanuit het bericht.',
		notStored: 'Niet opgeslagen',
		later:
			'Dit kon niet worden opgeslagen. Druk later nog eens op de knop of neem contact met ons op.',
		test: 'Dit bericht was alleen een test, dus er is niets opgeslagen.',
	},
	pl: {
		title: 'Nie chcesz więcej wiadomości?',
		text: 'Nie będziemy już wysyłać żadnych ofert.',
		button: 'Zatrzymaj wiadomości',
		done: 'Nie będziemy już wysyłać wiadomości',
		back: 'W razie zmiany decyzji prosimy o kontakt.',
		invalid: 'Nieprawidłowy link',
		again: 'Ten link jest niekompletny. Prosimy otworzyć go z wiadomości.',
		notStored: 'Nie zapisano',
		later:
			'Nie udało się tego zapisać. Naciśnij przycisk ponownie później lub skontaktuj się z nami.',
		test: 'Ta wiadomość była tylko testem, więc niczego nie zapisano.',
	},
	'pt-BR': {
		title: 'Não quer mais mensagens?',
		text: 'Você não receberá mais ofertas nossas.',
		button: 'Parar as mensagens',
		done: 'Você não receberá mais mensagens',
		back: 'Se mudar de ideia, entre em contato conosco.',
		invalid: 'Link inválido',
		again: 'Este link está incompleto. Abra-o a partir da mensagem.',
		notStored: 'Não foi salvo',
		later:
			'Não foi possível salvar. Pressione o botão novamente mais tarde ou entre em contato conosco.',
		test: 'Esta mensagem foi apenas um teste, então nada foi salvo.',
	},
	ru: {
		title: 'Больше не присылать сообщения?',
		text: 'Вы больше не будете получать от нас предложения.',
		button: 'Отключить сообщения',
		done: 'Вы больше не будете получать сообщения',
		back: 'Если передумаете, свяжитесь с нами.',
		invalid: 'Недействительная ссылка',
		again: 'Ссылка неполная. Откройте её из сообщения.',
		notStored: 'Не сохранено',
		later: 'Не удалось сохранить ваш выбор. Нажмите кнопку ещё раз позже или свяжитесь с нами.',
		test: 'Это сообщение было только тестом, поэтому ничего не сохранено.',
	},
	tr: {
		title: 'Artık mesaj istemiyor musunuz?',
		text: 'Artık bizden teklif almayacaksınız.',
		button: 'Mesajları durdur',
		done: 'Artık mesaj almayacaksınız',
		back: 'Fikrinizi değiştirirseniz bize ulaşın.',
		invalid: 'Geçersiz bağlantı',
		again: 'Bu bağlantı eksik. Bağlantıyı mesajdan açın.',
		notStored: 'Kaydedilmedi',
		later: 'Bu kaydedilemedi. Daha sonra düğmeye yeniden basın veya bize ulaşın.',
		test: 'Bu mesaj yalnızca bir testti, bu nedenle hiçbir şey kaydedilmedi.',
	},
	uk: {
		title: 'Більше не надсилати повідомлень?',
		text: 'Ви більше не отримуватимете від нас пропозицій.',
		button: 'Вимкнути повідомлення',
		done: 'Ви більше не отримуватимете повідомлень',
		back: 'Якщо передумаєте, зв’яжіться з нами.',
		invalid: 'Недійсне посилання',
		again: 'Посилання неповне. Відкрийте його з повідомлення.',
		notStored: 'Не збережено',
		later: 'Не вдалося зберегти ваш вибір. Натисніть кнопку ще раз пізніше або зв’яжіться з нами.',
		test: 'Це повідомлення було лише тестом, тому нічого не збережено.',
	},
	'zh-CN': {
		title: '不再接收消息？',
		text: '您将不再收到我们的优惠信息。',
		button: '停止接收消息',
		done: '您将不再收到消息',
		back: '如果您改变主意，请联系我们。',
		invalid: '链接无效',
		again: '此链接不完整。请从消息中打开。',
		notStored: '未保存',
		later: '未能保存。请稍后再按一次按钮，或联系我们。',
		test: '此消息仅为测试，因此未保存任何内容。',
	},
};
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

const withoutRegion = (language) => language.toLowerCase().split('-')[0];
const translated = (language) =>
	Object.keys(TEXTS).find((each) => withoutRegion(each) === withoutRegion(language));

/** From a header such as 'pt-BR,pt;q=0.9,en;q=0.8'. */
function languageOfBrowser() {
	const opened = $('Link opened').isExecuted ? $('Link opened') : $('Button pressed');
	const accepted = String(opened.first().json.headers['accept-language'] ?? '')
		.split(',')
		.map((part) => {
			const [language, quality = 'q=1'] = part.split(';').map((text) => text.trim());
			return { language, quality: Number(quality.replace(/^q=/i, '')) };
		})
		.filter(({ language, quality }) => translated(language) && quality > 0)
		.sort((a, b) => b.quality - a.quality);
	return translated(accepted[0]?.language ?? 'en');
}

const campaign = $('Campaign').isExecuted ? $('Campaign').first().json : {};
const language = String(campaign.language ?? '').trim() || languageOfBrowser();
const texts = TEXTS[translated(language)] ?? TEXTS.en;
const own = {
	title: campaign.optOutTitle,
	text: campaign.optOutText,
	button: campaign.optOutButton,
	done: campaign.optOutDone,
	back: campaign.optOutBack,
};

/** As HTML. */
const escape = (text) =>
	String(text).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
const shown = (name) => escape(own[name] && own[name] !== TEXTS.en[name] ? own[name] : texts[name]);

/** Who has sent the message, how to reach them, and the campaign. */
const sender = [campaign.sender, campaign.contact, campaign.name]
	.filter(Boolean)
	.map(escape)
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
			direction: RIGHT_TO_LEFT.includes(withoutRegion(language)) ? 'rtl' : 'ltr',
			sender,
			...page(),
		},
	},
];
