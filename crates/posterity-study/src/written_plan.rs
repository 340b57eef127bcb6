//! A plan as a program is given one: a file, a text, or values.

use std::path::{Path, PathBuf};

use posterity::plan::Node;
use posterity::text_file::read_text;

use crate::carried_out::CarryOutError;
use crate::plan_file::{PlanFile, read_node};

/// A plan as a program is given one. Paths in it start from the folder of its file, or else from where the program runs.
#[derive(Clone, Debug)]
pub enum WrittenPlan {
    /// The path of a file.
    File(PathBuf),
    /// The text of a plan.
    Text(String),
    /// The values of a plan.
    Node(Node),
}

impl WrittenPlan {
    /// A text with a line break, or one that begins with a brace, is the plan itself; any other is the path of one.
    #[must_use]
    pub fn of_text(text: String) -> Self {
        let is_plan = text.contains('\n') || text.trim_start().starts_with('{');
        if is_plan { Self::Text(text) } else { Self::File(text.into()) }
    }

    /// Reads the plan. Without data beside it, it must name its source.
    ///
    /// # Errors
    /// [`CarryOutError::File`] or [`CarryOutError::Plan`].
    pub fn read(self, has_data: bool) -> Result<PlanFile, CarryOutError> {
        let (node, folder) = match self {
            Self::Node(node) => (node, PathBuf::new()),
            Self::Text(text) => (read_node(&text)?, PathBuf::new()),
            Self::File(path) => {
                let text = read_text(&path).map_err(CarryOutError::File)?;
                (read_node(&text)?, path.parent().unwrap_or(Path::new("")).to_owned())
            }
        };
        let file = PlanFile::read(node, &folder, None)?;
        Ok(if has_data { file } else { file.with_source()? })
    }
}
