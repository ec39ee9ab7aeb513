# One verified backup with the settings of the service; those older than two weeks go. The scheduled task of install.ps1 runs it.
# If there is no backup, the event log says so: Application, source "TPWebServices backup".
# Not run on Windows; docs/windows.md says what was tried.
param(
  [string]$Program = 'C:\Program Files\TPWebServices',
  [string]$Data = 'C:\ProgramData\TPWebServices'
)

$file = "$Data\backups\$(Get-Date -Format 'yyyy-MM-dd-HHmm').db"
# Not with $ErrorActionPreference = 'Stop': Windows PowerShell 5.1 would end the backup at its first line on standard error.
& "$PSScriptRoot\run.ps1" backup -Program $Program -Data $Data $file *>> "$Data\backups\backup.log"
$code = $LASTEXITCODE
if ($code -ne 0) {
  & eventcreate.exe /L APPLICATION /T ERROR /SO 'TPWebServices backup' /ID 1 /D "The backup failed; see $Data\backups\backup.log." | Out-Null
  exit $code
}
Get-ChildItem "$Data\backups" -Filter '*.db' | Where-Object LastWriteTime -lt (Get-Date).AddDays(-14) | Remove-Item
