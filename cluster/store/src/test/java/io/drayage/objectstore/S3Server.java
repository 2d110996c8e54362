package io.drayage.objectstore;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.nio2blob.FilesystemNio2BlobStore;

/** An S3 server within this JVM, on a folder. The buckets are folders. */
public final class S3Server {
  public static final String BUCKET = "drayage-test";
  public static final String ACCESS_KEY = "access";
  public static final String SECRET_KEY = "secret";

  private final S3Proxy proxy;

  private final String host;

  private S3Server(S3Proxy proxy, String host) {
    this.proxy = proxy;
    this.host = host;
  }

  /** Starts a server, and gives this JVM the credentials for it. */
  public static S3Server start(Path folder) throws Exception {
    return start(folder, "127.0.0.1:0");
  }

  /** Starts a server at HOST:PORT. */
  public static S3Server start(Path folder, String address) throws Exception {
    Files.createDirectories(folder.resolve(BUCKET));
    S3Proxy proxy =
        S3Proxy.builder()
            .blobStore(new FilesystemNio2BlobStore(folder.toString()))
            .endpoint(URI.create("http://" + address))
            .awsAuthentication(AuthenticationType.AWS_V4, ACCESS_KEY, SECRET_KEY)
            .build();
    proxy.start();
    useCredentials();
    return new S3Server(proxy, address.substring(0, address.indexOf(':')));
  }

  /** Gives this JVM the credentials. */
  public static void useCredentials() {
    System.setProperty("aws.accessKeyId", ACCESS_KEY);
    System.setProperty("aws.secretAccessKey", SECRET_KEY);
  }

  public URI endpoint() {
    return URI.create("http://" + host + ":" + proxy.getPort());
  }

  public void stop() throws Exception {
    proxy.stop();
  }
}
