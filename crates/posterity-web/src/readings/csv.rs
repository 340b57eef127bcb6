//! Readings and comparisons as comma-separated values.

use posterity::{Document, Measurement, ReadingMethod, Statistic};

/// All rows, in the columns of `posterity read --format csv`: a column for each column of the release that is read.
pub(crate) fn csv(document: &Document) -> String {
    let (readings, comparisons) = (&*document.readings, &*document.comparisons);
    let mut names: Vec<&str> = Vec::new();
    for name in readings.iter().flat_map(|table| table.given.iter().chain(&table.of)) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let fixed =
        ["measure", "mean", "median", "low", "high", "probability_larger", "level", "method", "error"];
    let header = ["reading"].into_iter().chain(names.iter().copied()).chain(fixed);
    let mut text = line(header.map(ToOwned::to_owned));
    for table in readings {
        let measure = match table.statistic {
            Statistic::Share => "share",
            Statistic::Mean => "mean",
        };
        for row in &table.rows {
            let labels = names
                .iter()
                .map(|name| row.cell.get(name).or_else(|| row.given.get(name)).unwrap_or_default());
            let [low, high] = row.interval;
            let numbers = [
                measure.to_owned(),
                row.mean.to_string(),
                String::new(),
                low.to_string(),
                high.to_string(),
                String::new(),
                table.level.to_string(),
                method(table.method).to_owned(),
                table.error.to_string(),
            ];
            let reading = [table.reading.to_string()];
            text += &line(reading.into_iter().chain(labels.map(ToOwned::to_owned)).chain(numbers));
        }
    }
    let optional = |number: Option<f64>| number.map(|number| number.to_string()).unwrap_or_default();
    for comparison in comparisons {
        for measured in &comparison.measures {
            let [low, high] = measured.interval;
            let numbers = [
                name(measured.measure).to_owned(),
                optional(measured.mean),
                measured.median.to_string(),
                low.to_string(),
                high.to_string(),
                optional(comparison.probability_larger),
                comparison.level.to_string(),
                method(comparison.method).to_owned(),
                measured.error.to_string(),
            ];
            let labels = names.iter().map(|_| String::new());
            text += &line([comparison.comparison.to_string()].into_iter().chain(labels).chain(numbers));
        }
    }
    text
}

fn line(values: impl Iterator<Item = String>) -> String {
    let quoted = values.map(|value| {
        if value.contains([',', '"', '\n', '\r']) {
            format!("\"{}\"", value.replace('"', "\"\""))
        } else {
            value
        }
    });
    quoted.collect::<Vec<_>>().join(",") + "\n"
}

fn method(method: ReadingMethod) -> &'static str {
    match method {
        ReadingMethod::Exact => "exact",
        ReadingMethod::Draws => "draws",
        ReadingMethod::WithoutNoise => "without-noise",
    }
}

fn name(measure: Measurement) -> &'static str {
    match measure {
        Measurement::Difference => "difference",
        Measurement::Ratio => "ratio",
        Measurement::OddsRatio => "odds ratio",
        Measurement::MutualInformation => "mutual information (nats)",
        Measurement::CramersV => "Cramer's V",
    }
}
