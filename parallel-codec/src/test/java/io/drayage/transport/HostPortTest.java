package io.drayage.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.Test;

final class HostPortTest {
  @Test
  void numbersOfIpv6StandInBrackets() throws Exception {
    assertThat(HostPort.text("::1", 7070)).isEqualTo("[::1]:7070");
    assertThat(HostPort.text("[::1]", 7070)).isEqualTo("[::1]:7070");
    assertThat(HostPort.text("node-1", 7070)).isEqualTo("node-1:7070");
    assertThat(HostPort.text(InetSocketAddress.createUnresolved("a", 80))).isEqualTo("a:80");
    assertThat(of("::1")).isEqualTo("[::1]:80");
    assertThat(of("::")).isEqualTo("[::]:80");
    assertThat(of("2001:db8::1:0:0:2")).isEqualTo("[2001:db8::1:0:0:2]:80");
    assertThat(of("2001:db8:0:1:1:1:1:1")).isEqualTo("[2001:db8:0:1:1:1:1:1]:80");
    assertThat(of("fe80::10:0:0:1")).isEqualTo("[fe80::10:0:0:1]:80");
    assertThat(of("1:0:0:2:0:0:0:3")).isEqualTo("[1:0:0:2::3]:80");
  }

  private static String of(String numbers) throws Exception {
    byte[] address = InetAddress.getAllByName(numbers)[0].getAddress();
    return HostPort.text(new InetSocketAddress(InetAddress.getByAddress(address), 80));
  }
}
