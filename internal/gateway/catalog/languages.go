package catalog

import (
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// A dictionary translates common words of requests to English.
type dictionary struct {
	words   map[string][]string // by the word without accents
	phrases []phrase            // of languages that do not separate words
	stops   map[string]bool
}

// A phrase is a word of a language that does not separate words.
type phrase struct {
	text    string
	english []string
}

var translations = sync.OnceValue(func() *dictionary {
	d := &dictionary{words: map[string][]string{}, stops: wordSet(foreignStopWords)()}
	for line := range strings.Lines(foreignWords) {
		names, words, found := strings.Cut(line, ":")
		if !found {
			continue
		}
		english := strings.Fields(names)
		for _, word := range strings.Fields(words) {
			if strings.ContainsFunc(word, unseparated) {
				d.phrases = append(d.phrases, phrase{word, english})
			} else {
				d.words[withoutAccents(word)] = english
			}
		}
	}
	return d
})

// unseparated reports whether a letter belongs to a script that does not separate words.
func unseparated(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) }

// withoutAccents removes the accents of a word in lower case.
func withoutAccents(word string) string {
	ascii := true
	for i := range len(word) {
		ascii = ascii && word[i] < 0x80
	}
	if ascii {
		return word
	}
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}, norm.NFD.String(word))
}

// translate replaces the words of other languages that no tool in scope has.
func (x *index) translate(words []string, s *scope) []string {
	d := translations()
	var out []string
	found := false
	for _, w := range words {
		if english := d.words[withoutAccents(w)]; english != nil && !x.anyIn(x.form(asWritten(w), 1), s) {
			out = append(out, english...)
			found = true
		} else {
			out = append(out, w)
		}
	}
	if !found {
		return words
	}
	kept := out[:0]
	for _, w := range out {
		if !d.stops[w] {
			kept = append(kept, w)
		}
	}
	return kept
}

// translatePhrases replaces the phrases of languages that do not separate words.
func translatePhrases(text string) string {
	if !strings.ContainsFunc(text, unseparated) {
		return text
	}
	for _, p := range translations().phrases {
		text = strings.ReplaceAll(text, p.text, " "+strings.Join(p.english, " ")+" ")
	}
	return text
}

// foreignStopWords carry no information. They count as such in queries with a word of foreignWords.
const foreignStopWords = `
der die das den dem des ein eine einen einem einer eines ist sind und oder für fur mit von vom zu zum zur im am an auf aus bei
nach über uber wie was wo wer mir mich meine meinen mein meiner alle bitte ich kann wird heute morgen
le la les un une des du de et ou pour avec sur dans en au aux par mon ma mes est sont quel quelle je tous toutes moi
el los las una unos unas y o para con por del al mi mis es son que cual todos todas en como me su
il lo gli i uno di e per con nel nella su da che mio mia tutti
os as um uma e ou para com por em no na do da dos das meu minha todos
het een van en voor met op in te mijn alle naar
`

// foreignWords lists words of German, French, Spanish, Italian, Portuguese, Dutch, Chinese and Japanese that requests
// for tools often have, after their English words. Words that are also English words are omitted.
const foreignWords = `
send: senden sende schicken schicke verschicken versende envoyer envoie envoyez enviar envía envia manda mandar inviare invia stuur versturen 发送 送信
email: e-mail courriel correo correos posta 邮件 メール 电子邮件
message: nachricht nachrichten mensaje mensajes messaggio messaggi mensagem mensagens bericht 消息 メッセージ
read: lesen lies liest lire lis leer lee leggere leggi ler lezen 读取 读 読む
write: schreiben schreibe écrire écris escribir escribe scrivere scrivi escrever schrijven 写入 写 書く
create: erstellen erstelle anlegen erzeugen créer crée crear crea creare criar cria aanmaken 创建 作成
delete: löschen lösche loeschen entfernen supprimer supprime eliminar elimina borrar borra eliminare cancella excluir apagar verwijderen verwijder 删除 削除
update: aktualisieren aktualisiere ändern ändere bearbeiten modifier actualizar actualiza cambiar aggiornare aggiorna modificare atualizar bijwerken 更新
search: suchen suche durchsuchen chercher cherche rechercher recherche buscar busca cercare cerca ricerca pesquisar procurar zoeken zoek 搜索 検索
find: finden finde trouver trouve encontrar encuentra trovare trova vinden vind 查找 探す
list: auflisten liste lister listar lista elencare elenca lijst 列出 一覧
show: zeigen zeige anzeigen montrer montre afficher affiche mostrar muestra mostrare mostra tonen toon 显示 表示
get: holen hole abrufen obtenir obtenez obtener obtén ottenere ottieni obter ophalen 获取 取得
open: öffnen öffne ouvrir ouvre abrir abre aprire apri openen 打开 開く
run: ausführen fuehre exécuter exécute ejecutar ejecuta eseguire esegui executar uitvoeren 运行 実行
file: datei dateien fichier fichiers archivo archivos fichero ficheros arquivo arquivos bestand bestanden 文件 ファイル
folder directory: ordner verzeichnis dossier dossiers répertoire carpeta carpetas cartella cartelle pasta pastas mappen 文件夹 フォルダ 目录
weather: wetter wettervorhersage météo meteo clima tiempo previsioni weer 天气 天気
translate: übersetzen übersetze uebersetzen traduire traduis traducir traduce tradurre traduci traduzir vertalen vertaal 翻译 翻訳
calculate: berechnen berechne rechnen calculer calcule calcular calcula calcolare calcola berekenen bereken 计算 計算
convert: umrechnen umwandeln konvertieren convertir convierte convertire converti omzetten 转换 変換
currency: währung waehrung devise monnaie moneda divisa divisas valuta moeda 货币 通貨
image: bild bilder imagen imágenes immagine immagini imagem imagens afbeelding 图片 图像 画像
video: vidéo vídeo filmpje 视频 動画
calendar: kalender calendrier calendario calendário 日历 カレンダー
event: termin termine ereignis événement evento eventos afspraak 事件 予定
meeting: besprechung réunion reunión reunion riunione reunião vergadering 会议 会議
task: aufgabe aufgaben tâche tâches tarea tareas compito tarefa tarefas taak taken 任务 タスク
user: benutzer nutzer utilisateur utilisateurs usuario usuarios utente utenti usuário usuários gebruiker 用户 ユーザー
database: datenbank bdd basededatos banco 数据库 データベース
table: tabelle tableau tabla tabella tabela tabel
query: abfrage abfragen requête consulta consultar interrogare 查询
map: karte landkarte carte mapa mappa kaart 地图 地図
route directions: strecke wegbeschreibung itinéraire ruta percorso rota 路线 ルート
flight: flug flüge vol vuelo vuelos volo voli voo voos vlucht 航班 フライト
hotel: unterkunft hôtel albergo 酒店 ホテル
book: buchen buche réserver réserve reservar reserva prenotare prenota boeken 预订 予約
buy: kaufen kaufe acheter achète comprar compra comprare kopen 购买 買う
price: preis preise prix precio precios prezzo prezzi preço preços prijs 价格 価格
news: nachrichtenlage nouvelles actualités noticias notizie notícias nieuws 新闻 ニュース
music: musik musique música musica muziek 音乐 音楽
invoice: rechnung rechnungen facture factures factura facturas fattura fatture fatura factuur 发票 請求書
customer: kunde kunden cliente clientes clienti klant klanten 客户 顧客
page: seite seiten página pagina paginas 页面 ページ
website: webseite siteweb sitio sito 网站 サイト
error: fehler erreur erreurs errores errore errori erro erros fout 错误 エラー
issue: problème problema vorgang 问题 課題
branch: zweig branche rama ramo 分支 ブランチ
comment: kommentar kommentare commentaire comentario comentarios commento comentário 评论 コメント
document: dokument dokumente documento documentos documenti 文档 ドキュメント
summarize: zusammenfassen zusammenfassung résumer résume résumé resumir resumen riassumere samenvatten 总结 要約
time: zeit uhrzeit heure hora ora tijd 时间 時間
date: datum fecha 日期 日付
reminder: erinnerung erinnern rappel recordatorio promemoria lembrete herinnering 提醒 リマインダー
password: passwort kennwort contraseña senha wachtwoord 密码 パスワード
download: herunterladen télécharger descargar descarga scaricare scarica baixar downloaden 下载 ダウンロード
upload: hochladen téléverser subir caricare carica carregar uploaden 上传 アップロード
`
