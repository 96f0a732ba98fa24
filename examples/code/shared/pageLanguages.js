// What every page behind a link says, and the language it is in.
const COMMON = {
	en: {
		invalid: 'Invalid link',
		again: 'This link is incomplete. Open it from the message.',
		notStored: 'Not stored',
		later: 'This could not be stored. Press the button again later, or contact us.',
	},
	ar: {
		invalid: 'رابط غير صالح',
		again: 'هذا الرابط غير مكتمل. افتحه من الرسالة.',
		notStored: 'لم يتم الحفظ',
		later: 'تعذّر حفظ طلبك. اضغط على الزر مرة أخرى لاحقًا، أو تواصل معنا.',
	},
	de: {
		invalid: 'Ungültiger Link',
		again: 'Dieser Link ist unvollständig. Öffnen Sie ihn aus der Nachricht.',
		notStored: 'Nicht gespeichert',
		later:
			'Das konnte nicht gespeichert werden. Versuchen Sie es später noch einmal, oder wenden Sie sich an uns.',
	},
	es: {
		invalid: 'Enlace no válido',
		again: 'Este enlace está incompleto. Ábralo desde el mensaje.',
		notStored: 'No se ha guardado',
		later:
			'No se ha podido guardar. Vuelva a pulsar el botón más tarde o póngase en contacto con nosotros.',
	},
	fr: {
		invalid: 'Lien non valide',
		again: 'Ce lien est incomplet. Ouvrez-le depuis le message.',
		notStored: 'Non enregistré',
		later: 'Votre choix n’a pas pu être enregistré. Réessayez plus tard, ou contactez-nous.',
	},
	hi: {
		invalid: 'अमान्य लिंक',
		again: 'यह लिंक अधूरा है। इसे संदेश से खोलें।',
		notStored: 'सहेजा नहीं गया',
		later: 'यह सहेजा नहीं जा सका। बाद में फिर से बटन दबाएँ, या हमसे संपर्क करें।',
	},
	id: {
		invalid: 'Tautan tidak valid',
		again: 'Tautan ini tidak lengkap. Buka dari pesan.',
		notStored: 'Tidak tersimpan',
		later: 'Pilihan Anda tidak dapat disimpan. Tekan tombol itu lagi nanti, atau hubungi kami.',
	},
	it: {
		invalid: 'Link non valido',
		again: 'Questo link è incompleto. Lo apra dal messaggio.',
		notStored: 'Non salvato',
		later:
			'Non è stato possibile salvare la scelta. Prema di nuovo il pulsante più tardi o ci contatti.',
	},
	ja: {
		invalid: '無効なリンク',
		again: 'リンクが不完全です。メッセージから開き直してください。',
		notStored: '保存できませんでした',
		later: '保存できませんでした。後でもう一度ボタンを押すか、お問い合わせください。',
	},
	nl: {
		invalid: 'Ongeldige link',
		again: 'Deze link is onvolledig. Open hem vanuit het bericht.',
		notStored: 'Niet opgeslagen',
		later:
			'Dit kon niet worden opgeslagen. Druk later nog eens op de knop of neem contact met ons op.',
	},
	pl: {
		invalid: 'Nieprawidłowy link',
		again: 'Ten link jest niekompletny. Prosimy otworzyć go z wiadomości.',
		notStored: 'Nie zapisano',
		later:
			'Nie udało się tego zapisać. Naciśnij przycisk ponownie później lub skontaktuj się z nami.',
	},
	'pt-BR': {
		invalid: 'Link inválido',
		again: 'Este link está incompleto. Abra-o a partir da mensagem.',
		notStored: 'Não foi salvo',
		later:
			'Não foi possível salvar. Pressione o botão novamente mais tarde ou entre em contato conosco.',
	},
	ru: {
		invalid: 'Недействительная ссылка',
		again: 'Ссылка неполная. Откройте её из сообщения.',
		notStored: 'Не сохранено',
		later: 'Не удалось сохранить ваш выбор. Нажмите кнопку ещё раз позже или свяжитесь с нами.',
	},
	tr: {
		invalid: 'Geçersiz bağlantı',
		again: 'Bu bağlantı eksik. Bağlantıyı mesajdan açın.',
		notStored: 'Kaydedilmedi',
		later: 'Bu kaydedilemedi. Daha sonra düğmeye yeniden basın veya bize ulaşın.',
	},
	uk: {
		invalid: 'Недійсне посилання',
		again: 'Посилання неповне. Відкрийте його з повідомлення.',
		notStored: 'Не збережено',
		later: 'Не вдалося зберегти ваш вибір. Натисніть кнопку ще раз пізніше або зв’яжіться з нами.',
	},
	'zh-CN': {
		invalid: '链接无效',
		again: '此链接不完整。请从消息中打开。',
		notStored: '未保存',
		later: '未能保存。请稍后再按一次按钮，或联系我们。',
	},
};
const RIGHT_TO_LEFT = ['ar', 'fa', 'he', 'ur'];

const withoutRegion = (language) => language.toLowerCase().split('-')[0];
const translated = (language) =>
	Object.keys(COMMON).find((each) => withoutRegion(each) === withoutRegion(language));

/** From a header such as 'pt-BR,pt;q=0.9,en;q=0.8'. */
function languageOfBrowser(headers) {
	const accepted = String(headers['accept-language'] ?? '')
		.split(',')
		.map((part) => {
			const [language, quality = 'q=1'] = part.split(';').map((text) => text.trim());
			return { language, quality: Number(quality.replace(/^q=/i, '')) };
		})
		.filter(({ language, quality }) => translated(language) && quality > 0)
		.sort((a, b) => b.quality - a.quality);
	return translated(accepted[0]?.language ?? 'en');
}

/** For the `lang` and `dir` of the page. */
const directionOf = (language) => (RIGHT_TO_LEFT.includes(withoutRegion(language)) ? 'rtl' : 'ltr');

module.exports = { COMMON, translated, languageOfBrowser, directionOf };
