//! Encrypted connections.

use std::io;
use std::net::TcpStream;
use std::path::Path;
use std::sync::Arc;

use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{
    ClientConfig, ClientConnection, DigitallySignedStruct, Error, RootCertStore, SignatureScheme, StreamOwned,
};

use crate::postgres_fault::PostgresFault;
use crate::postgres_server::{Tls, bare};

/// Encrypts a connection to this host, which proves who it is unless the address says otherwise.
pub(super) fn encrypted(
    mut stream: TcpStream,
    host: &str,
    tls: Tls,
    roots: Option<&Path>,
) -> Result<StreamOwned<ClientConnection, TcpStream>, PostgresFault> {
    let name = ServerName::try_from(bare(host).to_owned()).map_err(|_| PostgresFault::Certificate)?;
    let config = config(tls, roots)?;
    let mut connection = ClientConnection::new(Arc::new(config), name).map_err(|error| fault(&error))?;
    while connection.is_handshaking() {
        connection.complete_io(&mut stream).map_err(|error| told(&error))?;
    }
    Ok(StreamOwned::new(connection, stream))
}

/// Random bytes that nobody can foresee.
pub(super) fn random<const BYTES: usize>() -> Result<[u8; BYTES], PostgresFault> {
    let mut bytes = [0; BYTES];
    ring::default_provider().secure_random.fill(&mut bytes).map_err(|_| PostgresFault::Tls)?;
    Ok(bytes)
}

fn config(tls: Tls, roots: Option<&Path>) -> Result<ClientConfig, PostgresFault> {
    let provider = Arc::new(ring::default_provider());
    let builder = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(|error| fault(&error))?;
    let builder = match tls {
        Tls::Unverified => {
            builder.dangerous().with_custom_certificate_verifier(Arc::new(AnyCertificate(provider)))
        }
        Tls::Off | Tls::Verified => builder.with_root_certificates(trusted(roots)?),
    };
    Ok(builder.with_no_client_auth())
}

/// The certificates of a file, or those that this machine trusts.
fn trusted(file: Option<&Path>) -> Result<RootCertStore, PostgresFault> {
    let mut store = RootCertStore::empty();
    let place = match file {
        Some(file) => {
            let found = CertificateDer::pem_file_iter(file).into_iter().flatten().flatten();
            store.add_parsable_certificates(found);
            file.display().to_string()
        }
        None => {
            store.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
            "the store of this machine".into()
        }
    };
    if store.is_empty() { Err(PostgresFault::NoRoots { place }) } else { Ok(store) }
}

fn told(error: &io::Error) -> PostgresFault {
    match error.get_ref().and_then(|inner| inner.downcast_ref::<Error>()) {
        Some(error) => fault(error),
        None => PostgresFault::Tls,
    }
}

fn fault(error: &Error) -> PostgresFault {
    match error {
        Error::InvalidCertificate(_) | Error::NoCertificatesPresented => PostgresFault::Certificate,
        _ => PostgresFault::Tls,
    }
}

/// Takes every certificate, where the address says so. Whoever answers must still hold its key.
#[derive(Debug)]
struct AnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AnyCertificate {
    fn verify_server_cert(
        &self,
        _certificate: &CertificateDer<'_>,
        _between: &[CertificateDer<'_>],
        _name: &ServerName<'_>,
        _ocsp: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls12_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        certificate: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, Error> {
        verify_tls13_signature(message, certificate, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}
