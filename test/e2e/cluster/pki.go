package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"flag"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// runPki writes what the parts know each other by: ca, apiserver and admin (each .crt and .key) and sa.key, which
// signs the tokens of service accounts.
func runPki() {
	flags := flag.NewFlagSet("pki", flag.ExitOnError)
	dir := flags.String("dir", "", "where the files go")
	_ = flags.Parse(os.Args[1:])
	ca := &x509.Certificate{
		Subject:               pkix.Name{CommonName: "batholith-e2e"},
		IsCA:                  true,
		BasicConstraintsValid: true,
		KeyUsage:              x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	caKey := newKey(*dir, "ca")
	sign(*dir, "ca", ca, ca, caKey.Public(), caKey)
	server := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "kube-apiserver"},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1), net.IPv4(10, 0, 0, 1)},
		DNSNames:    []string{"localhost", "kubernetes", "kubernetes.default", "kubernetes.default.svc"},
	}
	sign(*dir, "apiserver", server, ca, newKey(*dir, "apiserver").Public(), caKey)
	admin := &x509.Certificate{
		Subject:     pkix.Name{CommonName: "admin", Organization: []string{"system:masters"}},
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth},
	}
	sign(*dir, "admin", admin, ca, newKey(*dir, "admin").Public(), caKey)
	newKey(*dir, "sa")
}

// newKey makes a key and keeps it as NAME.key.
func newKey(dir, name string) crypto.Signer {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		fail(err)
	}
	bytes, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		fail(err)
	}
	writePem(filepath.Join(dir, name+".key"), "EC PRIVATE KEY", bytes)
	return key
}

// sign lets the authority vouch for a key for a week and keeps that as NAME.crt.
func sign(dir, name string, subject, authority *x509.Certificate, key crypto.PublicKey, authorityKey crypto.Signer) {
	serial, err := rand.Int(rand.Reader, big.NewInt(1<<62))
	if err != nil {
		fail(err)
	}
	subject.SerialNumber = serial
	subject.NotBefore = time.Now().Add(-time.Hour)
	subject.NotAfter = time.Now().Add(7 * 24 * time.Hour)
	bytes, err := x509.CreateCertificate(rand.Reader, subject, authority, key, authorityKey)
	if err != nil {
		fail(err)
	}
	writePem(filepath.Join(dir, name+".crt"), "CERTIFICATE", bytes)
}

func writePem(path, kind string, bytes []byte) {
	text := pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: bytes})
	if err := os.WriteFile(path, text, 0o600); err != nil {
		fail(err)
	}
}
