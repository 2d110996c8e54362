package io.drayage.cli.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.drayage.bench.system.Contender;
import io.drayage.bench.system.SystemOptions;
import io.drayage.bench.system.Systems;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

final class GroupsTest {
  private static final Contender BASE = contender("grpc:java+none");
  private static final List<Contender> FOUR =
      Stream.of("netty:java+none", "grpc:java+none", "netty:raw+none@1", "netty:raw+none@2")
          .map(GroupsTest::contender)
          .toList();

  private static Contender contender(String system) {
    return Contender.of(Systems.notation().parse(system), SystemOptions.DEFAULT);
  }

  private static List<List<String>> groups(long availableBytes) {
    return Groups.of(FOUR, BASE, contender -> 10, availableBytes).stream()
        .map(group -> group.stream().map(Contender::name).toList())
        .toList();
  }

  @Test
  void isOneInTheGivenOrderIfAllFit() {
    assertThat(groups(40))
        .containsExactly(
            List.of("netty:java+none", "grpc:java+none", "netty:raw+none@1", "netty:raw+none@2"));
  }

  @Test
  void eachHasTheBaselineFirstIfNotAllFit() {
    assertThat(groups(39))
        .containsExactly(
            List.of("grpc:java+none", "netty:java+none", "netty:raw+none@1"),
            List.of("grpc:java+none", "netty:raw+none@2"));
  }

  @Test
  void aGroupHasAnotherSystemWhetherItFitsOrNot() {
    assertThat(groups(5)).hasSize(3).allMatch(group -> group.size() == 2);
  }

  @Test
  void theBaselineAloneIsAGroup() {
    assertThat(Groups.of(List.of(BASE), BASE, contender -> 10, 5)).containsExactly(List.of(BASE));
  }
}
