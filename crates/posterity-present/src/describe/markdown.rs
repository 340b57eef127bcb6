//! A description in Markdown.

use posterity::hidden::shown;

use super::page::{Block, Description, Table};
use crate::sheet::Setting;

impl Description {
    /// The description in Markdown, with tables as GitHub writes them. Names are shown as they are, whatever they hold.
    #[must_use]
    pub fn markdown(&self) -> String {
        let mut text = format!("# {}\n", plain(&self.title));
        if let Some(alarm) = &self.alarm {
            text += &format!("\n**{}**\n", plain(alarm));
        }
        for section in &self.sections {
            text += &format!("\n## {}\n", plain(&section.heading));
            for block in &section.blocks {
                text.push('\n');
                text += &written(block);
            }
        }
        text
    }
}

fn written(block: &Block) -> String {
    match block {
        Block::Say(said) => format!("{}\n", plain(said)),
        Block::List(all) => all.iter().map(|one| format!("- {}\n", plain(one))).collect(),
        Block::Facts(facts) => {
            facts.iter().map(|(name, value)| format!("- **{}**: {}\n", plain(name), plain(value))).collect()
        }
        Block::Table(caption, of) => format!("{}:\n\n{}", plain(caption), table(of)),
        Block::Code(line) => format!("    {}\n", shown(line)),
    }
}

fn table(table: &Table) -> String {
    let line = |cells: Vec<String>| format!("| {} |\n", cells.join(" | "));
    let names = line(table.columns.iter().map(|column| plain(&column.name)).collect());
    let rule = table.columns.iter().map(|column| match column.setting {
        Setting::Right => "---:".to_owned(),
        Setting::Left | Setting::Wrapped => "---".to_owned(),
    });
    let rows = table.rows.iter().map(|row| line(row.iter().map(|cell| plain(cell)).collect()));
    names + &line(rule.collect()) + &rows.collect::<String>()
}

/// A text in which nothing is markup.
fn plain(text: &str) -> String {
    let mut plain = String::with_capacity(text.len());
    for letter in shown(text).chars() {
        if "\\`*_<>[]|#~&$".contains(letter) {
            plain.push('\\');
        }
        plain.push(letter);
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::super::page::Section;
    use super::*;
    use crate::sheet::Column;

    #[test]
    fn nothing_in_a_name_is_markup() {
        let columns = vec![Column::text("a|b"), Column::number("*share*")];
        let rows = vec![vec!["<b>\n".to_owned(), "1 %".to_owned()]];
        let page = Description {
            title: "# [x](y)".to_owned(),
            alarm: Some("No_ne".to_owned()),
            sections: vec![Section::new(
                "One",
                vec![
                    Block::Facts(vec![("name", "a`b".to_owned())]),
                    Block::Table("cells".to_owned(), Table::new(columns, rows)),
                    Block::Code("posterity verify a_b.json".to_owned()),
                ],
            )],
            signed: None,
        };
        assert_eq!(
            page.markdown(),
            "# \\# \\[x\\](y)\n\n**No\\_ne**\n\n## One\n\n- **name**: a\\`b\n\ncells:\n\n| a\\|b | \\*share\\* |\n\
             | --- | ---: |\n| \\<b\\>\\\\n | 1 % |\n\n    posterity verify a_b.json\n"
        );
    }
}
