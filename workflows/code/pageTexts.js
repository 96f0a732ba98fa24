// What the page says, in the language of the campaign. Without one, or with an incomplete link, in the language of the browser.
// A text of the campaign that is still the English one below is translated.
const TEXTS = {
	en: {
		title: 'No more messages?',
		text: 'You will get no more offers from us.',
		button: 'Stop the messages',
		done: 'You get no more messages',
		back: 'If you change your mind, tell us in the chat.',
		invalid: 'Invalid link',
		again:
			'This link is incomplete. Open it from the message, or tell us in the chat that you want no more messages.',
		notStored: 'Not stored',
		later:
			'This could not be stored. Press the button again later, or tell us in the chat that you want no more messages.',
	},
	ar: {
		title: 'إيقاف الرسائل؟',
		text: 'لن تتلقى منا عروضًا بعد الآن.',
		button: 'إيقاف الرسائل',
		done: 'لن تتلقى رسائل بعد الآن',
		back: 'إذا غيّرت رأيك، فأخبرنا في الدردشة.',
		invalid: 'رابط غير صالح',
		again:
			'هذا الرابط غير مكتمل. افتحه من الرسالة، أو أخبرنا في الدردشة أنك لا تريد تلقي المزيد من الرسائل.',
		notStored: 'لم يتم الحفظ',
		later:
			'تعذّر حفظ طلبك. اضغط على الزر مرة أخرى لاحقًا، أو أخبرنا في الدردشة أنك لا تريد تلقي المزيد من الرسائل.',
	},
	de: {
		title: 'Keine Nachrichten mehr?',
		text: 'Sie erhalten von uns keine Angebote mehr.',
		button: 'Nachrichten abbestellen',
		done: 'Sie erhalten keine Nachrichten mehr',
		back: 'Wenn Sie es sich anders überlegen, sagen Sie es uns im Chat.',
		invalid: 'Ungültiger Link',
		again:
			'Dieser Link ist unvollständig. Öffnen Sie ihn aus der Nachricht, oder sagen Sie uns im Chat, dass Sie keine Nachrichten mehr möchten.',
		notStored: 'Nicht gespeichert',
		later:
			'Das konnte nicht gespeichert werden. Versuchen Sie es später noch einmal, oder sagen Sie uns im Chat, dass Sie keine Nachrichten mehr möchten.',
	},
	es: {
		title: '¿No desea más mensajes?',
		text: 'No recibirá más ofertas nuestras.',
		button: 'Dejar de recibir mensajes',
		done: 'Ya no recibirá más mensajes',
		back: 'Si cambia de opinión, díganoslo en el chat.',
		invalid: 'Enlace no válido',
		again:
			'Este enlace está incompleto. Ábralo desde el mensaje o díganos en el chat que no desea más mensajes.',
		notStored: 'No se ha guardado',
		later:
			'No se ha podido guardar. Vuelva a pulsar el botón más tarde o díganos en el chat que no desea más mensajes.',
	},
	fr: {
		title: 'Ne plus recevoir de messages ?',
		text: 'Vous ne recevrez plus d’offres de notre part.',
		button: 'Arrêter les messages',
		done: 'Vous ne recevrez plus de messages',
		back: 'Si vous changez d’avis, dites-le-nous dans le chat.',
		invalid: 'Lien non valide',
		again:
			'Ce lien est incomplet. Ouvrez-le depuis le message, ou dites-nous dans le chat que vous ne voulez plus de messages.',
		notStored: 'Non enregistré',
		later:
			'Votre choix n’a pas pu être enregistré. Réessayez plus tard, ou dites-nous dans le chat que vous ne voulez plus de messages.',
	},
	hi: {
		title: 'क्या आप और संदेश नहीं चाहते?',
		text: 'आपको हमारी ओर से और ऑफ़र नहीं मिलेंगे।',
		button: 'संदेश बंद करें',
		done: 'अब आपको संदेश नहीं मिलेंगे',
		back: 'अगर आपका मन बदल जाए, तो हमें चैट में बताएँ।',
		invalid: 'अमान्य लिंक',
		again: 'यह लिंक अधूरा है। इसे संदेश से खोलें, या हमें चैट में बताएँ कि आप और संदेश नहीं चाहते।',
		notStored: 'सहेजा नहीं गया',
		later: 'यह सहेजा नहीं जा सका। बाद में फिर से बटन दबाएँ, या हमें चैट में बताएँ कि आप और संदेश नहीं चाहते।',
	},
	id: {
		title: 'Berhenti menerima pesan?',
		text: 'Anda tidak akan menerima penawaran lagi dari kami.',
		button: 'Hentikan pesan',
		done: 'Anda tidak akan menerima pesan lagi',
		back: 'Jika Anda berubah pikiran, beri tahu kami di chat.',
		invalid: 'Tautan tidak valid',
		again:
			'Tautan ini tidak lengkap. Buka dari pesan, atau beri tahu kami di chat bahwa Anda tidak ingin menerima pesan lagi.',
		notStored: 'Tidak tersimpan',
		later:
			'Pilihan Anda tidak dapat disimpan. Tekan tombol itu lagi nanti, atau beri tahu kami di chat bahwa Anda tidak ingin menerima pesan lagi.',
	},
	it: {
		title: 'Non ricevere più messaggi?',
		text: 'Non riceverà più offerte da parte nostra.',
		button: 'Interrompi i messaggi',
		done: 'Non riceverà più messaggi',
		back: 'Se cambia idea, ce lo comunichi nella chat.',
		invalid: 'Link non valido',
		again:
			'Questo link è incompleto. Lo apra dal messaggio o ci comunichi nella chat che non desidera più messaggi.',
		notStored: 'Non salvato',
		later:
			'Non è stato possibile salvare la scelta. Prema di nuovo il pulsante più tardi o ci comunichi nella chat che non desidera più messaggi.',
	},
	ja: {
		title: 'メッセージの配信を停止しますか?',
		text: '今後、当社からのご案内は届きません。',
		button: '配信を停止する',
		done: '配信を停止しました',
		back: '再開をご希望の場合は、チャットでお知らせください。',
		invalid: '無効なリンク',
		again:
			'リンクが不完全です。メッセージから開き直すか、配信停止のご希望をチャットでお知らせください。',
		notStored: '保存できませんでした',
		later:
			'保存できませんでした。後でもう一度ボタンを押すか、チャットで配信停止をご希望の旨をお知らせください。',
	},
	nl: {
		title: 'Geen berichten meer?',
		text: 'U ontvangt geen aanbiedingen meer van ons.',
		button: 'Berichten stoppen',
		done: 'U ontvangt geen berichten meer',
		back: 'Als u van gedachten verandert, laat het ons weten in de chat.',
		invalid: 'Ongeldige link',
		again:
			'Deze link is onvolledig. Open hem vanuit het bericht, of laat ons in de chat weten dat u geen berichten meer wilt.',
		notStored: 'Niet opgeslagen',
		later:
			'Dit kon niet worden opgeslagen. Druk later nog eens op de knop of laat ons in de chat weten dat u geen berichten meer wilt.',
	},
	pl: {
		title: 'Nie chcesz więcej wiadomości?',
		text: 'Nie będziemy już wysyłać żadnych ofert.',
		button: 'Zatrzymaj wiadomości',
		done: 'Nie będziemy już wysyłać wiadomości',
		back: 'W razie zmiany decyzji prosimy o informację na czacie.',
		invalid: 'Nieprawidłowy link',
		again:
			'Ten link jest niekompletny. Prosimy otworzyć go z wiadomości lub napisać na czacie, że nie chcesz więcej wiadomości.',
		notStored: 'Nie zapisano',
		later:
			'Nie udało się tego zapisać. Naciśnij przycisk ponownie później lub napisz nam na czacie, że nie chcesz więcej wiadomości.',
	},
	'pt-BR': {
		title: 'Não quer mais mensagens?',
		text: 'Você não receberá mais ofertas nossas.',
		button: 'Parar as mensagens',
		done: 'Você não receberá mais mensagens',
		back: 'Se mudar de ideia, avise-nos no chat.',
		invalid: 'Link inválido',
		again:
			'Este link está incompleto. Abra-o a partir da mensagem ou avise-nos no chat que não quer mais mensagens.',
		notStored: 'Não foi salvo',
		later:
			'Não foi possível salvar. Pressione o botão novamente mais tarde ou diga no chat que você não quer mais mensagens.',
	},
	ru: {
		title: 'Больше не присылать сообщения?',
		text: 'Вы больше не будете получать от нас предложения.',
		button: 'Отключить сообщения',
		done: 'Вы больше не будете получать сообщения',
		back: 'Если передумаете, напишите нам в чате.',
		invalid: 'Недействительная ссылка',
		again:
			'Ссылка неполная. Откройте её из сообщения или напишите нам в чате, что больше не хотите получать сообщения.',
		notStored: 'Не сохранено',
		later:
			'Не удалось сохранить ваш выбор. Нажмите кнопку ещё раз позже или напишите нам в чате, что больше не хотите получать сообщения.',
	},
	tr: {
		title: 'Artık mesaj istemiyor musunuz?',
		text: 'Artık bizden teklif almayacaksınız.',
		button: 'Mesajları durdur',
		done: 'Artık mesaj almayacaksınız',
		back: 'Fikrinizi değiştirirseniz sohbette bize bildirin.',
		invalid: 'Geçersiz bağlantı',
		again:
			'Bu bağlantı eksik. Bağlantıyı mesajdan açın veya artık mesaj istemediğinizi sohbette bize bildirin.',
		notStored: 'Kaydedilmedi',
		later:
			'Bu kaydedilemedi. Daha sonra düğmeye yeniden basın veya artık mesaj istemediğinizi bize sohbette söyleyin.',
	},
	uk: {
		title: 'Більше не надсилати повідомлень?',
		text: 'Ви більше не отримуватимете від нас пропозицій.',
		button: 'Вимкнути повідомлення',
		done: 'Ви більше не отримуватимете повідомлень',
		back: 'Якщо передумаєте, напишіть нам у чаті.',
		invalid: 'Недійсне посилання',
		again:
			'Посилання неповне. Відкрийте його з повідомлення або напишіть нам у чаті, що більше не хочете отримувати повідомлень.',
		notStored: 'Не збережено',
		later:
			'Не вдалося зберегти ваш вибір. Натисніть кнопку ще раз пізніше або напишіть нам у чаті, що більше не хочете отримувати повідомлення.',
	},
	'zh-CN': {
		title: '不再接收消息？',
		text: '您将不再收到我们的优惠信息。',
		button: '停止接收消息',
		done: '您将不再收到消息',
		back: '如果您改变主意，请在聊天中告诉我们。',
		invalid: '链接无效',
		again: '此链接不完整。请从消息中打开，或在聊天中告诉我们您不想再收到消息。',
		notStored: '未保存',
		later: '未能保存。请稍后再按一次按钮，或在聊天中告诉我们您不想再收到消息。',
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

const link = $('Link').first().json;
const stored = $('Store opt-out').isExecuted ? $('Store opt-out').first().json : undefined;
const isStored = Number.isInteger(stored?.id) && stored.token === link.token;
const isOptedOut = $('Opt-out').isExecuted && $('Opt-out').first().json.id !== undefined;
function page() {
	if (!$('Campaign').isExecuted)
		return { status: 404, title: shown('invalid'), text: shown('again'), form: '' };
	if (isStored || isOptedOut)
		return { status: 200, title: shown('done'), text: shown('back'), form: '' };
	if (stored) return { status: 503, title: shown('notStored'), text: shown('later'), form: '' };
	const form = `<form method="post"><button>${shown('button')}</button></form>`;
	return { status: 200, title: shown('title'), text: shown('text'), form };
}
return [
	{
		json: {
			language: escape(language),
			direction: RIGHT_TO_LEFT.includes(withoutRegion(language)) ? 'rtl' : 'ltr',
			...page(),
		},
	},
];
