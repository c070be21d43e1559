"""The loss by which a shallow network follows a deep one."""

import pytest

torch = pytest.importorskip("torch", reason="pip install '.[training]'")
pytest.importorskip("transformers", reason="pip install '.[training]'")

from training.verifier.encoder import CrossEncoder, every_other_layer  # noqa: E402 - torch may be missing
from training.verifier.following import Following, missed_share  # noqa: E402 - torch may be missing
from training.verifier.learning import by_targets  # noqa: E402 - torch may be missing

CONFIG: dict[str, object] = {
    "vocab_size": 50,
    "hidden_size": 16,
    "num_hidden_layers": 4,
    "num_attention_heads": 2,
    "intermediate_size": 32,
    "max_position_embeddings": 40,
}


def test_what_says_the_same_misses_nothing_and_what_says_the_mean_all() -> None:
    told = torch.randn(2, 5, 8, generator=torch.Generator().manual_seed(1))
    mask = torch.tensor([[1, 1, 1, 1, 1], [1, 1, 0, 0, 0]])
    noise = told.clone()
    noise[1, 2:] = 9.0  # behind the end of the second pair
    mean = told[mask.bool()].mean(0).expand_as(told)

    assert missed_share(noise, told, mask).item() == pytest.approx(0.0)
    assert missed_share(mean, told, mask).item() == pytest.approx(1.0)


def test_following_teaches_the_layers_and_leaves_the_teacher_as_it_is() -> None:
    torch.manual_seed(1)
    teacher = CrossEncoder("mpnet", CONFIG)
    student = every_other_layer(teacher, CONFIG, (1, 3))
    follow = Following(teacher, (1, 3))
    before = {name: weight.clone() for name, weight in teacher.state_dict().items()}
    ids, mask = torch.randint(3, 50, (4, 10)), torch.ones(4, 10, dtype=torch.long)
    targets = torch.tensor([[1.0, 0.0, 0.0]] * 4)
    optimizer = torch.optim.AdamW(student.parameters(), lr=1e-2)
    student.eval()

    losses = []
    for _ in range(30):
        loss = follow(student, ids, mask, targets)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        losses.append(loss.item())

    assert losses[0] > by_targets(student, ids, mask, targets).item()
    assert losses[-1] < 0.7 * losses[0]
    assert all(torch.equal(weight, before[name]) for name, weight in teacher.state_dict().items())


def test_a_network_that_is_the_teacher_has_nothing_to_follow() -> None:
    torch.manual_seed(1)
    teacher = CrossEncoder("mpnet", CONFIG).eval()
    ids, mask = torch.randint(3, 50, (4, 10)), torch.ones(4, 10, dtype=torch.long)
    targets = torch.tensor([[0.0, 1.0, 0.0]] * 4)

    followed = Following(teacher, range(4))(teacher, ids, mask, targets)

    assert followed.item() == pytest.approx(by_targets(teacher, ids, mask, targets).item())
