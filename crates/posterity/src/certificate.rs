//! Certificates: the result of an audit as a document.

use std::path::Path;

use posterity_core::audit::{Audit, AuditError, audit};
use posterity_core::mechanism::{Mechanism, Spec};
use posterity_core::model::Prior;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::digest::text_digest;
use crate::json;
use crate::new_file::{self, NewFileError};
use crate::strict_json;
use crate::terms::Request;

/// What an audit found, for which mechanism and public inputs. It holds nothing about any data.
///
/// The hash guards against damage and careless edits, not against forgery: a release that cites a certificate repeats
/// the audit and compares.
///
/// ```
/// use posterity::{Certificate, Data, Publisher};
/// use posterity_core::audit::audit;
/// // This mechanism has no proof, so its release needs an audit to be private.
/// let data = Data::counts([("yes", 12), ("no", 8)])?;
/// let publisher = Publisher::new("1".parse()?).mechanism("ehdl".parse::<posterity::Spec>()?);
/// assert!(publisher.publish(&data).is_err());
///
/// let request = publisher.request(&data)?;
/// let found = audit(&*request.mechanism(&|_| ())?, &[], 1e6, &|_| ())?;
/// let certificate = Certificate::new(&request, &found);
/// let text = serde_json::to_string(&certificate)?;
/// let release = publisher.certificate(Certificate::from_json(&text)?).publish(&data)?;
/// assert!(release.document().is_private());
/// assert_eq!(release.document().certificate(), Some(&*certificate.hash));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Certificate {
    /// The mechanism with its parameters and how its scale is set.
    pub mechanism: Spec,
    /// The public prior.
    pub prior: Prior,
    /// The number of records.
    pub n: u64,
    /// The epsilon that the mechanism was given, as it was written.
    pub epsilon: String,
    /// An upper bound on the privacy loss over all adjacent data sets of this size.
    pub loss: f64,
    /// Upper bounds on delta at chosen epsilons.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub profile: Vec<[f64; 2]>,
    /// The version that did the audit.
    pub version: String,
    /// SHA-256 of the document without this field.
    #[serde(default)]
    pub hash: String,
}

/// Why a certificate cannot be used for a release.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum CertificateError {
    /// Not a certificate.
    #[error("the certificate cannot be read ({reason}); make one by an audit")]
    Unreadable {
        /// What the reader said.
        reason: String,
    },
    /// The certificate was changed after it was made.
    #[error("the certificate was changed after it was made: its hash does not match; make a new one")]
    Changed,
    /// The certificate is about another release.
    #[error("the certificate is for another {field}; audit the release that you want to make")]
    Other {
        /// What differs.
        field: &'static str,
    },
    /// The audit cannot be repeated.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The audit finds more than the certificate says.
    #[error("the certificate says that the loss is {stated}, and the audit finds {found}; do not use it")]
    Wrong {
        /// The loss in the certificate.
        stated: f64,
        /// The loss found.
        found: f64,
    },
}

impl Certificate {
    /// The certificate of an audit of the mechanism of a request.
    #[must_use]
    pub fn new(request: &Request, found: &Audit) -> Self {
        let mut certificate = Self {
            loss: found.loss_up(),
            profile: found.profile_up().iter().map(|&(epsilon, delta)| [epsilon, delta]).collect(),
            ..Self::subject(request)
        };
        certificate.hash = certificate.digest();
        certificate
    }

    /// Reads a certificate and checks its hash.
    ///
    /// # Errors
    /// [`CertificateError`].
    pub fn from_json(text: &str) -> Result<Self, CertificateError> {
        let certificate: Self = strict_json::read(text)
            .map_err(|error| CertificateError::Unreadable { reason: error.to_string() })?;
        if certificate.hash != certificate.digest() {
            return Err(CertificateError::Changed);
        }
        Ok(certificate)
    }

    /// Writes the certificate into a file, from which [`Certificate::from_json`] reads it.
    ///
    /// # Errors
    /// [`NewFileError`] if the file exists and must not be overwritten, or cannot be written.
    pub fn save(&self, path: &Path, overwrite: bool) -> Result<(), NewFileError> {
        let text = json::text(self).map_err(|error| NewFileError::Unwritable {
            path: path.display().to_string(),
            error: error.into(),
        })?;
        new_file::write(path, (text + "\n").as_bytes(), overwrite)
    }

    /// Checks that the certificate is for this request, and repeats the audit. Returns the loss that may be promised:
    /// the larger one of the loss that is stated and the loss that is found, so the promise never rests on the
    /// certificate alone.
    ///
    /// # Errors
    /// [`CertificateError`].
    pub(crate) fn check(
        &self,
        request: &Request,
        mechanism: &dyn Mechanism,
        limit: f64,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<f64, CertificateError> {
        let subject = Self::subject(request);
        let fields = [
            ("mechanism", self.mechanism == subject.mechanism),
            ("prior", self.prior == subject.prior),
            ("number of records", self.n == subject.n),
            ("epsilon", self.epsilon == subject.epsilon),
            ("version of posterity", self.version == subject.version),
        ];
        if let Some((field, _)) = fields.into_iter().find(|(_, same)| !same) {
            return Err(CertificateError::Other { field });
        }
        let found = audit(mechanism, &[], limit, progress)?.loss_up();
        // Another machine may round the last digits otherwise; more than that is no rounding.
        if self.loss.is_nan() || found > self.loss * (1.0 + 1e-12) {
            return Err(CertificateError::Wrong { stated: self.loss, found });
        }
        Ok(found.max(self.loss))
    }

    /// What a certificate for this request is about, without a result.
    fn subject(request: &Request) -> Self {
        let setting = request.setting();
        Self {
            mechanism: request.spec().clone(),
            prior: setting.prior().clone(),
            n: setting.n(),
            epsilon: setting.epsilon().rational().to_string(),
            loss: f64::NAN,
            profile: Vec::new(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            hash: String::new(),
        }
    }

    fn digest(&self) -> String {
        let bare = Self { hash: String::new(), ..self.clone() };
        // Serialising a struct of numbers and strings does not fail; an empty text would never match a real hash.
        let text = serde_json::to_string(&bare).unwrap_or_default();
        text_digest(&text)
    }
}
