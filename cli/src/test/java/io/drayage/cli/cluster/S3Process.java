package io.drayage.cli.cluster;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** Main class of an S3 server on a folder. Argument: the folder. It prints where it listens. */
final class S3Process {
  static final String BUCKET = "drayage";
  static final String ACCESS_KEY = "local";
  static final String SECRET_KEY = "local-secret";

  private S3Process() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Files.createDirectories(folder.resolve(BUCKET));
    S3Proxy proxy =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(folder.toString()))
            .endpoint(URI.create("http://127.0.0.1:0"))
            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
            .build();
    proxy.start();
    System.out.println("S3 at http://127.0.0.1:" + proxy.getPort());
  }
}
